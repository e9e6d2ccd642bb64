/**
 * A database that cannot be written, as on a read-only disk: every command that only reads does what it does elsewhere,
 * a server serves, and everything else is refused in one line.
 */
import { hash } from "node:crypto";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServing } from "../backup/serving.ts";
import { MAIN, type Ran, rolebook } from "../command.ts";
import { faultOf, rolebook as rolebookUnder } from "../crash/program.ts";
import { acme } from "../examples/acme.ts";
import { toLines } from "../oracle/records.ts";
import { everyCommand } from "./every-command.ts";
import { MOUNTS, WAYS } from "./sealed.ts";
import { HANG } from "../setup/hang.ts";

const folder = mkdtempSync(join(tmpdir(), "rolebook-sealed-"));
const NAME = "Rücksicht 100%? #1.db";
const original = join(folder, "original", NAME);
const inFolder = (name: string) => join(folder, name);
const LIST = ["--format", "ndjson"];
const SHIPPED = new URL("../setup/shipped-in-node.ts", import.meta.url).pathname;
const SEVERAL = new URL("several.ts", import.meta.url).pathname;
const NOT_RUN: Ran = { status: null, stdout: "", stderr: "not run" };

/** Commands that only read the database. Some write files elsewhere. */
const READING: Readonly<Record<string, readonly (readonly string[])[]>> = {
  import: [["--dry-run", "--details", inFolder("later.ndjson")]],
  apply: [["--dry-run", "--details", inFolder("change.ndjson")]],
  export: [
    ["--organization", "acme"],
    ["--organization", "acme", "--at", "1"],
  ],
  find: [["api"]],
  why: [["ana", "space/api-reference"]],
  without: [["team/docs@collection/handbook"]],
  report: [[], ["--at", "1"]],
  diff: [["--from", "1", "--pairs", ...LIST]],
  check: [["examples/rules.yaml", ...LIST]],
  review: [[inFolder("review.csv"), ...LIST]],
  tidy: [LIST],
  revisions: [[]],
  history: [[]],
  "organization list": [[]],
  "token list": [[]],
  "sign-in list": [[]],
  status: [[]],
  verify: [[]],
  backup: [[inFolder("copy.db")]],
  "database migrate": [[]],
};

/** Commands that write the database, with arguments with which they would. */
const WRITING: Readonly<Record<string, readonly (readonly string[])[]>> = {
  import: [["--allow-removals", inFolder("later.ndjson")]],
  apply: [[inFolder("change.ndjson")]],
  check: [["examples/rules.yaml", "--record"]],
  history: [["30d", "--yes"]],
  "organization remove": [["acme", "--yes"]],
  "organization forget-user": [["--organization", "acme", "dana"]],
  "token create": [["--organization", "acme"]],
  "sign-in unbind": [["ana"]],
  "token rotate": [["TOKEN"]],
  "token revoke": [["TOKEN"]],
};

/** `pull gitbook` reads GitBook; with `--import`, it writes as `import` does. `serve` is below. */
const ELSEWHERE = ["pull gitbook", "serve"];

let token: string;
let tokenId: string;
let commands: ReadonlyMap<string, string>;

beforeAll(async () => {
  mkdirSync(join(folder, "original"));
  const run = async (...args: string[]) => {
    const ran = await rolebook(args, { ROLEBOOK_DATABASE_URL: `sqlite:${original}` });
    expect(ran, ran.stderr).toMatchObject({ status: 0 });
    return ran.stdout;
  };
  const left = acme.filter((record) => !("user" in record && record.user === "dana"));
  writeFileSync(inFolder("now.ndjson"), toLines(left));
  writeFileSync(
    inFolder("later.ndjson"),
    toLines(left.filter((record) => !("user" in record && record.user === "emi"))),
  );
  writeFileSync(
    inFolder("change.ndjson"),
    '{"object":"changes","organization":"acme"}\n{"object":"member","organization":"acme","user":"bram","role":"read"}\n',
  );
  await run("import", "examples/acme.ndjson");
  writeFileSync(inFolder("review.csv"), await run("report"));
  await run("import", "--allow-removals", inFolder("now.ndjson"));
  token = (await run("token", "create", "--organization", "acme")).trim();
  [tokenId = ""] = /^\w{12}/m.exec(await run("token", "list")) ?? [];
  commands = await everyCommand(run);
});
afterAll(() => {
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o755);
  rmSync(folder, { recursive: true, force: true });
});

/** A copy of the database, and of other files beside it, in a folder of its own. */
function copyIn(name: string, suffixes: readonly string[] = [""]): { place: string; database: string } {
  const place = mkdtempSync(inFolder(`${name}-`));
  for (const suffix of suffixes) copyFileSync(original + suffix, join(place, NAME + suffix));
  return { place, database: join(place, NAME) };
}

/** The commands of a table, with their arguments. */
function linesOf(table: typeof READING): string[][] {
  return Object.entries(table).flatMap(([name, tries]) =>
    tries.map((more) => [...name.split(" "), ...more].map((arg) => (arg === "TOKEN" ? tokenId : arg))),
  );
}

let answers: Ran[] | undefined;

/** What the commands answer where they can write. */
async function usually(lines: readonly string[][]): Promise<readonly Ran[]> {
  if (answers === undefined) {
    answers = [];
    for (const line of lines) {
      answers.push(await rolebook(line, { ROLEBOOK_DATABASE_URL: `sqlite:${original}` }));
    }
  }
  rmSync(inFolder("copy.db"), { force: true });
  return answers;
}

/** Runs the commands in one process that cannot write the database: see several.ts. */
function runTogether(lines: readonly string[][], under: readonly string[], database: string): readonly Ran[] {
  const [command = "", ...args] = [...under, process.execPath, "--import", SHIPPED, SEVERAL];
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const { stdout, stderr } = spawnSync(command, args, {
    env: { ...inherited, ROLEBOOK_DATABASE_URL: `sqlite:${database}` },
    input: JSON.stringify(lines),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test(`each command that uses the database is known to read or to write it${MOUNTS ? "" : " (a read-only mount: NOT TRIED, this machine does not allow mounts)"}`, () => {
  const uses = [...commands].filter(([, help]) => help.includes("--database")).map(([name]) => name);
  const known = new Set([...Object.keys(READING), ...Object.keys(WRITING), ...ELSEWHERE]);
  expect([...known].sort()).toEqual(uses.sort());
});

describe.each(WAYS)("$name", ({ seal }) => {
  test("is truly read-only, every reading command gives its usual answer, and every other one is refused", async () => {
    const { place, database } = copyIn("sealed");
    const under = seal(place);
    const [command = "", ...args] = [...under, "sh", "-c", 'echo x >> "$0"', database];
    const tried = spawnSync(command, args, { encoding: "utf8" });
    expect(tried.stderr).toMatch(/Read-only file system|Permission denied/);
    const before = hash("sha256", readFileSync(database));
    const here = (text: string) => text.replaceAll(database, original);
    const reading = linesOf(READING);
    const usual = await usually(reading);
    const ran = runTogether(reading, under, database);
    for (const [index, line] of reading.entries()) {
      const { status, stdout, stderr } = ran[index] ?? NOT_RUN;
      expect([line, { status, stdout: here(stdout), stderr: here(stderr) }]).toEqual([line, usual[index]]);
      expect([0, 1]).toContain(status);
    }
    const writing = linesOf(WRITING);
    const refused = runTogether(writing, under, database);
    for (const [index, line] of writing.entries()) {
      const { status, stderr } = refused[index] ?? NOT_RUN;
      expect([line, stderr]).toEqual([
        line,
        expect.stringContaining(`The database ${database} cannot be written: it is read-only.\n`),
      ]);
      expect([line, status, stderr.match(/read-only/g)?.length]).toEqual([line, 1, 1]);
    }
    expect([readdirSync(place), hash("sha256", readFileSync(database))]).toEqual([[NAME], before]);
  });

  test.each([1, 2])("is served by %i workers, and nothing is written", async (workers) => {
    const { place, database } = copyIn("served");
    const under = seal(place);
    const before = hash("sha256", readFileSync(database));
    const serving = ["serve", "--port", "0", "--workers", String(workers)];
    const server = await startServing([...under, process.execPath, MAIN, ...serving], {
      ROLEBOOK_DATABASE_URL: `sqlite:${database}`,
    });
    try {
      const ask = (path: string) =>
        fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
      for (const path of ["/readyz", "/metrics", "/export", "/"]) {
        await expect.poll(async () => [path, (await ask(path)).status]).toEqual([path, 200]);
      }
      const environment = { ROLEBOOK_URL: server.url, ROLEBOOK_TOKEN: token };
      const subjects = {
        space: "api-reference",
        collection: "people",
        user: "bram",
        site: "acme-docs",
        team: "docs",
      };
      const lists = [...commands.keys()].filter((name) => name.startsWith("list "));
      expect(lists.length).toBeGreaterThan(5);
      for (const name of workers === 1 ? lists : lists.slice(0, 1)) {
        const [subject = ""] = /(?<=<)\w+(?=>)/.exec(commands.get(name)?.split("\n")[0] ?? "") ?? [];
        const id = Object.entries(subjects).find(([kind]) => kind === subject)?.[1];
        const line = [...name.split(" "), ...(id === undefined ? [] : [id]), ...LIST];
        const organization = commands.get(name)?.includes("--organization") ? ["--organization", "acme"] : [];
        const ran = await rolebook([...line, ...organization], environment);
        expect([line, ran.status, ran.stderr]).toEqual([line, 0, expect.stringMatching(/revision 2\.\n$/)]);
      }
      const past = await ask("/at/1/v1/spaces/api-reference/permissions/aggregate?limit=1000");
      expect([past.status, await past.text()]).toEqual([200, expect.stringContaining('"id":"dana"')]);
    } finally {
      expect(await server.stop()).toBe(0);
    }
    expect([readdirSync(place), hash("sha256", readFileSync(database))]).toEqual([[NAME], before]);
  });

  test("answers nothing from before, when another program writes the file after all", async () => {
    const { place, database } = copyIn("changed");
    const server = await startServing([...seal(place), process.execPath, MAIN, "serve", "--port", "0"], {
      ROLEBOOK_DATABASE_URL: `sqlite:${database}`,
    });
    try {
      const statuses = async () =>
        Promise.all(
          ["/v1/spaces/api-reference/permissions/aggregate", "/readyz"].map(
            async (path) =>
              (await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })).status,
          ),
        );
      await expect.poll(statuses).toEqual([200, 200]);
      chmodSync(place, 0o755);
      chmodSync(database, 0o644);
      const writer = new DatabaseSync(database);
      writer.exec("DELETE FROM token");
      expect(await statuses()).toEqual([503, 503]);
      writer.close();
      expect(await statuses()).toEqual([503, 503]);
    } finally {
      await server.stop();
    }
  });

  test("an older schema and an unclean log are refused in one sentence", async () => {
    const status = async (place: string, database: string) => {
      const ended = await rolebookUnder(["status", "--database", `sqlite:${database}`], {
        under: seal(place),
      });
      expect(faultOf(ended)).toBeUndefined();
      return ended.stderr.replaceAll(database, "DB");
    };
    const older = copyIn("older");
    const migrated = new DatabaseSync(older.database);
    migrated.exec("DELETE FROM migration WHERE number = (SELECT max(number) FROM migration)");
    migrated.close();
    expect(await status(older.place, older.database)).toMatch(
      /^The database DB has schema \d+ and is read-only, so it cannot be migrated to schema \d+; run rolebook status once where it can be written\.\n$/,
    );
    const empty = copyIn("empty");
    writeFileSync(empty.database, "");
    expect(await status(empty.place, empty.database)).toContain("has schema 0 and is read-only");

    const writer = new DatabaseSync(original);
    writer.exec("UPDATE token SET name = name");
    const unclean = [copyIn("unclean", ["", "-wal"]), copyIn("unclean", ["", "-wal", "-shm"])];
    writer.close();
    const emptied = copyIn("emptied");
    writeFileSync(`${emptied.database}-wal`, "");
    for (const { place, database } of [...unclean, emptied]) {
      expect(await status(place, database)).toBe(
        "The database DB cannot be read: it is read-only, and DB-wal shows that another program uses it or was killed; open it once where it can be written, such as with rolebook status, or use a copy made by rolebook backup.\n",
      );
    }
  });

  test("npm start is refused, and ends", async () => {
    const { place, database } = copyIn("start");
    renameSync(database, join(place, "example.db"));
    const [command = "", ...args] = [
      ...seal(place),
      process.execPath,
      new URL("../../dist/program/cli/start.js", import.meta.url).pathname,
    ];
    const { status, stdout, stderr } = spawnSync(command, args, {
      encoding: "utf8",
      timeout: HANG,
      cwd: place,
      env: { ...process.env, ROLEBOOK_START_PORT: "0" },
    });
    expect([status, stdout, stderr]).toEqual([
      1,
      "",
      `The database ${join(place, "example.db")} cannot be written: it is read-only.\n`,
    ]);
  });
});
