/** What `rolebook help` shows: all commands on one screen, and each command with an example that is right. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { table, widthOf } from "../../src/cli/terminal.ts";
import { SETTINGS } from "../../src/cli/settings.ts";
import { rolebook } from "../command.ts";
import { declaredCommands } from "./every-command.ts";
import { temporaryFolder } from "../folder.ts";

const folder = temporaryFolder();

const commands = [...(await declaredCommands())];

test.each([["help"], ["--help"]])(
  "rolebook %s shows every command in 24 lines of 80 columns",
  async (word) => {
    const { status, stdout } = await rolebook([word]);
    const lines = stdout.trimEnd().split("\n");
    expect([status, lines.length < 24, lines.filter((line) => widthOf(line) > 80)]).toEqual([0, true, []]);
    for (const [name] of commands) {
      expect(stdout).toMatch(new RegExp(`(?:^| )  ${name.split(" ")[0]} +[a-z\\p{Lu}]`, "mu"));
    }
    for (const { name } of Object.values(SETTINGS)) expect(stdout).not.toContain(name);
  },
);

test.each(commands)("the help of %s shows what is required, and an example", async (name, command) => {
  const { status, stdout } = await rolebook(["help", ...name.split(" ")]);
  expect([status, stdout]).toEqual([0, (await rolebook([...name.split(" "), "--help"])).stdout]);
  const [usage = ""] = stdout.split("\n");
  for (const { flags, mandatory } of command.options) expect(usage.includes(flags)).toBe(mandatory);
  const [, line = ""] = /\nExample:\n {2}rolebook (.+)\n$/.exec(stdout) ?? [];
  const words = [...line.replace(/ > .*/, "").matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? "",
  );
  expect(words.slice(0, name.split(" ").length).join(" ")).toBe(name);
  const { operands, unknown } = command.parseOptions(words.slice(name.split(" ").length));
  expect(unknown).toEqual([]);
  const required = command.registeredArguments.filter((each) => each.required).length;
  expect(
    operands.length >= required &&
      command.options.every(({ mandatory, long }) => !mandatory || words.includes(long ?? "")),
  ).toBe(true);
});

test.each([["nope"], ["token", "nope"]])("help %s is wrong usage", async (...words) => {
  const { status, stdout, stderr } = await rolebook(["help", ...words]);
  expect([status, stdout, stderr]).toEqual([2, "", expect.stringContaining("unknown command 'nope'")]);
});

test("a table is cut to the width of a terminal, its widest columns first, but never its numbers", () => {
  const rows = [
    ["space/api-reference", "Ana Lima, 目次 of a long name", 123456],
    ["x", "y", 1],
  ];
  expect(table(["id", "name", "number"], rows, 40).split("\n")).toEqual([
    "id               name             number",
    "space/api-refe…  Ana Lima, 目次…  123456",
    "x                y                     1",
  ]);
  expect(table(["id", "name", "number"], rows, 10)).toContain("space/a…  Ana Lim…  123456");
  expect(table(["id", "name", "number"], rows)).toContain(
    "space/api-reference  Ana Lima, 目次 of a long name  123456",
  );
});

test.each([["status"], ["revisions"], ["token list"], ["organization list"]])(
  "%s prints every format",
  async (name) => {
    const environment = { ROLEBOOK_DATABASE_URL: "sqlite::memory:" };
    for (const format of ["table", "csv", "ndjson"]) {
      const { status, stderr } = await rolebook([...name.split(" "), "--format", format], environment);
      expect(stderr).not.toContain("Unexpected");
      expect([0, 1]).toContain(status);
    }
    const wrong = await rolebook([...name.split(" "), "--format", "xml"], environment);
    expect([wrong.status, wrong.stderr]).toEqual([2, '--format is "xml"; accepted: table, csv, ndjson.\n']);
  },
);

test("status shows one organization in 80 columns", async () => {
  const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };
  expect(await rolebook(["import", "examples/acme.ndjson"], environment)).toMatchObject({ status: 0 });
  const { stdout } = await rolebook(["status"], environment);
  const lines = stdout.split("\n").filter((line) => !line.startsWith("database "));
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).toMatch(/^organization +acme\nrevision +1\n/);
  expect(JSON.parse((await rolebook(["status", "--format", "ndjson"], environment)).stdout)).toMatchObject({
    organization: "acme",
    members: 34,
  });
});
