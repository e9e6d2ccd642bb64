/** Files of another form, given to every command that reads one: one message says in plain words what the file is. */
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { rolebook } from "../command.ts";
import { temporaryFolder } from "../folder.ts";

const folder = temporaryFolder();
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };
const ACME = "examples/acme.ndjson";
const PEOPLE = "examples/csv/people.csv";
const ACCESS = "examples/csv/access.csv";

beforeAll(async () => {
  const { status, stderr } = await rolebook(["import", ACME], environment);
  expect(status, stderr).toBe(0);
});

/** What each command takes instead of its file, and its exit status if the file cannot be read. */
const COMMANDS = {
  import: { args: (file: string) => ["import", file], status: 1 },
  apply: { args: (file: string) => ["apply", file], status: 1 },
  "apply --follow": { args: (file: string) => ["apply", "--follow", file], status: 1 },
  review: { args: (file: string) => ["review", file], status: 1 },
  check: { args: (file: string) => ["check", file], status: 2 },
  "import --rules": { args: (file: string) => ["import", ACME, "--rules", file], status: 2 },
  "convert csv --people": {
    args: (file: string) => [...CONVERT, "--people", file, "--access", ACCESS],
    status: 1,
  },
  "convert csv --access": {
    args: (file: string) => [...CONVERT, "--people", PEOPLE, "--access", file],
    status: 1,
  },
  "convert csv --ids": {
    args: (file: string) => [...CONVERT, "--people", PEOPLE, "--access", ACCESS, "--ids", file],
    status: 1,
  },
} as const;
const CONVERT = ["convert", "csv", "--organization", "a", "--title", "A", "--default-level", "closed"];

/** The bytes of each file, and what every message about it says. */
const FILES: Record<string, { readonly bytes: Buffer; readonly says: RegExp }> = {
  "image.png": {
    bytes: Buffer.concat([
      Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"),
      deflateSync(Buffer.alloc(9000, "pixel\n")),
    ]),
    says: /image\.png.* is an image; accepted: /,
  },
  "photo.jpg": {
    bytes: Buffer.from("\xff\xd8\xff\xe0\0\x10JFIF\0\n\n\n", "latin1"),
    says: /photo\.jpg.* is an image; accepted: /,
  },
  "people.xlsx": {
    bytes: Buffer.concat([Buffer.from("PK\x03\x04"), deflateSync(Buffer.alloc(9000, "cell\n"))]),
    says: /people\.xlsx.* is a workbook or a zip file; accepted: /,
  },
};

async function saysOf(command: keyof typeof COMMANDS, file: string): Promise<string> {
  const { args, status: expected } = COMMANDS[command];
  const { status, stdout, stderr } = await rolebook(args(file), environment);
  expect([status, stdout], `${command} ${file}: ${stderr}`).toEqual([expected, ""]);
  return stderr.replaceAll(`${folder}/`, "");
}

/** The lines of a message but the one that says that nothing happened. */
function told(message: string): string[] {
  return message.split("\n").filter((line) => !/^(?:|Nothing was (?:changed|converted)\.)$/.test(line));
}

const EVERY = Object.keys(COMMANDS).filter((name): name is keyof typeof COMMANDS => name in COMMANDS);

describe.each(EVERY.map((name) => [name]))("%s", (command) => {
  test("says what a file is that is no text", async () => {
    for (const [name, { bytes, says }] of Object.entries(FILES)) {
      writeFileSync(join(folder, name), bytes);
      const lines = told(await saysOf(command, join(folder, name)));
      expect(lines).toEqual([expect.stringMatching(says)]);
    }
  });

  test("says that a folder is one", async () => {
    mkdirSync(join(folder, "directory"), { recursive: true });
    const lines = told(await saysOf(command, join(folder, "directory")));
    expect(lines).toEqual([expect.stringMatching(/directory.*: it is a folder; accepted: a file/)]);
  });
});

test.each(EVERY.map((name) => [name]))("%s says that links lead in a circle", async (command) => {
  const file = join(folder, "circle");
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) symlinkSync("circle", file);
  expect(told(await saysOf(command, file))).toEqual([
    // `convert csv` creates a missing file of --ids.
    expect.stringMatching(
      /^(?:The \w+(?: file)? )?circle(?: cannot be \w+)?: its links lead in a circle\.?$/,
    ),
  ]);
});

// `convert csv` reads UTF-16, and creates a missing file of --ids.
test.each(EVERY.filter((name) => !name.startsWith("convert")).map((name) => [name]))(
  "%s says that a file is UTF-16, or missing",
  async (command) => {
    const file = join(folder, "wide.txt");
    writeFileSync(file, Buffer.from("\uFEFFa,b,c\r\n".repeat(100), "utf16le"));
    expect(told(await saysOf(command, file))).toEqual([
      expect.stringMatching(/wide\.txt.*: the file is UTF-16; accepted: UTF-8/),
    ]);
    expect(told(await saysOf(command, join(folder, "missing")))).toEqual([
      expect.stringMatching(/missing.*: there is no such file/),
    ]);
  },
);

describe("windows-1252", () => {
  test("in snapshots and change files is reported once", async () => {
    const file = join(folder, "latin.ndjson");
    const text = readFileSync(ACME, "utf8").replaceAll("a@", "ä@").replaceAll('"Acme', '"Äcme');
    writeFileSync(file, Buffer.from(text.replaceAll(/[\u0100-\uffff]/g, "?"), "latin1"));
    const lines = told(await saysOf("import", file));
    expect(lines).toEqual([
      expect.stringMatching(
        /^latin\.ndjson:1: the line is not UTF-8, but perhaps windows-1252; accepted: UTF-8 \(and in \d+ more lines\)$/,
      ),
    ]);
  });

  test("in rules is refused", async () => {
    const file = join(folder, "latin.yml");
    writeFileSync(file, Buffer.from("# für alle\nrules: []\n", "latin1"));
    for (const command of ["check", "import --rules"] as const) {
      expect(told(await saysOf(command, file))).toEqual([
        "The rules file latin.yml cannot be read: the file is not UTF-8, but perhaps windows-1252; accepted: YAML in UTF-8.",
      ]);
    }
  });

  test("in a decided report is refused: it would name other people", async () => {
    const { stdout } = await rolebook(["report", "--space", "glossary"], environment);
    expect(stdout).toContain("élodie");
    const file = join(folder, "latin.csv");
    writeFileSync(
      file,
      Buffer.from(stdout.replace("\uFEFF", "").replaceAll(/[\u0100-\uffff]/g, "?"), "latin1"),
    );
    expect(told(await saysOf("review", file))).toEqual([
      "The report latin.csv cannot be read: the file is not UTF-8, but perhaps windows-1252; accepted: a report that is saved as CSV in UTF-8.",
    ]);
  });

  test("in CSV is reported once, with advice that works", async () => {
    const file = join(folder, "latin-people.csv");
    const rows = Array.from({ length: 30 }, (_, n) => `Jürgen ${n},u${n}@x.example,read,Studio;Accounts\n`);
    const text = readFileSync(PEOPLE, "utf8") + rows.join("");
    writeFileSync(file, Buffer.from(text, "latin1"));
    const lines = told(await saysOf("convert csv --people", file));
    expect(lines).toEqual([
      'latin-people.csv:7: "Name" is "J\uFFFDrgen 0"; accepted: utf-8 without U+0000, or the encoding of the file with --encoding, such as windows-1252',
      "… and 29 more.",
    ]);
    const args = COMMANDS["convert csv --people"].args(file);
    const again = await rolebook([...args, "--encoding", "windows-1252"], environment);
    expect([again.status, again.stderr]).toEqual([0, ""]);
    expect(again.stdout).toContain('"Jürgen 29"');
  });

  test("in the headings of CSV is reported", async () => {
    const file = join(folder, "latin-headings.csv");
    writeFileSync(file, Buffer.from("Größe,E-mail,Role\nx,a@x.example,read\n", "latin1"));
    expect(told(await saysOf("convert csv --people", file))).toEqual([
      expect.stringMatching(/^latin-headings\.csv:1: "column 1" is "Gr\uFFFD\uFFFDe"; accepted: utf-8/),
    ]);
  });
});

describe("CSV given to import and apply", () => {
  test.each([
    ["people.csv", readFileSync(PEOPLE)],
    ["people.txt", readFileSync(PEOPLE)],
    ["semicolons", Buffer.from("Name;Role\nAna;edit\n")],
    ["latin", Buffer.from("Name;Rôle\nAna;edit\n", "latin1")],
    ["one-column.csv", Buffer.from("Name\nAna\n")],
    ["one-row", Buffer.from("Name,Role")],
  ])("%s leads to convert csv", async (name, bytes) => {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    for (const command of ["import", "apply", "apply --follow"] as const) {
      const lines = told(await saysOf(command, file));
      expect(lines).toEqual([
        `${name}: the file is CSV, it seems; accepted: one JSON object per line; rolebook convert csv makes such a file from spreadsheets that are saved as CSV`,
      ]);
    }
  });

  test("a workbook leads there too", async () => {
    const file = join(folder, "book.xlsx");
    writeFileSync(file, FILES["people.xlsx"]?.bytes ?? "");
    expect(await saysOf("import", file)).toContain("rolebook convert csv");
  });
});
