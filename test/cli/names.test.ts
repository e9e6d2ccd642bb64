/** Names instead of ids: what commands that read accept, what they say, and which commands accept ids alone. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { rolebook } from "../command.ts";
import { type SnapshotRecord, toLines } from "../oracle/records.ts";
import { temporaryFolder } from "../folder.ts";

const DATE = "2026-01-01T00:00:00.000Z";
const folder = temporaryFolder();
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(folder, "rolebook.db")}` };
const run = (...args: string[]) => rolebook(args, environment);
/** Each of these also has an id, an address or a title that is another one's name. */
const PEOPLE = [
  { id: "ana", displayName: "Ana Lima", email: "ana@names.example" },
  // A member's name is another one's id, and another one's e-mail address.
  { id: "eve", displayName: "ana" },
  { id: "mallory", displayName: "ana@names.example" },
  { id: "bo-1", displayName: "Bo  Li" },
  { id: "bo-2", displayName: "BO LI" },
  { id: "anatol", displayName: "Anatol Limes" },
];
const CONTENTS: SnapshotRecord[] = [
  { object: "collection", id: "c1", organization: "names", title: "Engine" },
  { object: "collection", id: "c2", organization: "names", title: "Engine", parent: "c1" },
  ...[
    { id: "docs", title: "Guides" },
    { id: "s2", title: "docs" },
    { id: "s3", title: "Notes", parent: "c1" },
    { id: "s4", title: "Notes", parent: "c2" },
    { id: "s5", title: "A / B", parent: "c2" },
    { id: "s6", title: "Engine / Notes" },
  ].map((each): SnapshotRecord => ({
    object: "space",
    organization: "names",
    createdAt: DATE,
    updatedAt: DATE,
    ...each,
  })),
  { object: "site", id: "www", organization: "names", title: "Guides" },
  { object: "team", id: "t1", organization: "names", title: "Writers", createdAt: DATE },
  { object: "permission", space: "docs", team: "t1", permission: "edit" },
];
const records = (people: typeof PEOPLE): SnapshotRecord[] => [
  { object: "organization", id: "names", title: "The Names" },
  ...people.flatMap((each): SnapshotRecord[] => [
    { object: "user", ...each },
    { object: "member", organization: "names", user: each.id, role: "read" },
  ]),
  ...CONTENTS,
];

beforeAll(async () => {
  const file = join(folder, "names.ndjson");
  writeFileSync(file, toLines(records(PEOPLE)));
  expect(await run("import", file)).toMatchObject({ status: 0 });
});

test.each([
  ["an id, although it is another one's name", "ana", "docs", ""],
  ["an e-mail address, although it is another one's name", "ana@names.example", "docs", "member ana"],
  ["a name, whatever its case", "ANA LIMA", "docs", "member ana"],
  ["a title", "ana", "space/guides", "space docs"],
  ["a title of another kind", "ana", "site/Guides", "site www"],
  ["a path", "ana", "engine / engine / notes", "space s4"],
  ["a title that looks like a path, before a path", "ana", "Engine / Notes", "space s6"],
  ["a path with a title that contains what separates titles", "ana", "Engine / Engine / A / B", "space s5"],
])("why accepts %s", async (_, user, content, found) => {
  const { status, stdout, stderr } = await run("why", user, content);
  const name = user === "ana" ? content.replace(/^(space|site)\//, "") : user;
  expect([status, stderr]).toEqual([0, found === "" ? "" : `${JSON.stringify(name)} is ${found}.\n`]);
  expect(stdout).toMatch(/^read, because it is Ana Lima’s role in The Names|^none|^no access/i);
});

test.each([
  [
    ["why", "bo li", "docs"],
    '"bo li" may be more than one; choose one by its id:\n  member/bo-1  Bo  Li\n  member/bo-2  BO LI\n',
  ],
  [
    ["why", "ana", "notes"],
    '"notes" may be more than one; choose one by its id:\n  space/s3  Engine / Notes\n  space/s4  Engine / Engine / Notes\n',
  ],
  [
    ["why", "ana", "guides"],
    '"guides" may be more than one; choose one by its id:\n  space/docs  Guides\n  site/www  Guides\n',
  ],
  [
    ["report", "--space", "notes"],
    '"notes" may be more than one; choose one by its id:\n  space/s3  Engine / Notes\n  space/s4  Engine / Engine / Notes\n',
  ],
])("%j is an error that lists them", async (args, stderr) => {
  expect(await run(...args)).toEqual({ status: 2, stdout: "", stderr });
});

test.each([["Ana L"], ["ana@names"], ["Ana"], ["Lima"], [""]])("%j names nobody but by id", async (user) => {
  const { status, stderr } = await run("report", "--user", user, "--no-head");
  // "Ana" is the name of another member, whose id is eve.
  if (user === "Ana") expect([status, stderr]).toEqual([0, expect.stringContaining('"Ana" is member eve.')]);
  else
    expect([status, stderr]).toEqual([
      1,
      `There is no member ${JSON.stringify(user)} in organization names.\n`,
    ]);
});

test("reports, differences, sources and organizations are found by name", async () => {
  const sheet = await run(
    "report",
    "--user",
    "Anatol Limes",
    "--space",
    "Engine / Engine / A / B",
    "--no-head",
  );
  expect(sheet.stdout.split("\r\n")[1]).toMatch(/^space,s5,A \/ B,Engine \/ Engine,anatol,/);
  expect((await run("report", "--user", "Anatol Limes")).stdout).toContain(
    "covers,every space and collection,user anatol only",
  );
  const diff = await run("diff", "--from", "1", "--user", "Anatol Limes", "--organization", "the names");
  expect(diff.stderr).toContain('"the names" is organization names.\n"Anatol Limes" is member anatol.\n');
  const source = await run("without", "team/writers@space/guides");
  expect([source.status, source.stderr]).toEqual([0, '"guides" is space docs.\n"writers" is team t1.\n']);
});

test("a past revision has its own names", async () => {
  const file = join(folder, "later.ndjson");
  const later = PEOPLE.map((each) =>
    each.id === "anatol"
      ? { ...each, displayName: "Renamed" }
      : each.id === "bo-2"
        ? { ...each, displayName: "Anatol Limes" }
        : each,
  );
  writeFileSync(file, toLines(records(later)));
  expect(await run("import", file)).toMatchObject({ status: 0 });
  const named = async (...at: string[]) =>
    (await run("why", "Anatol Limes", "docs", ...at)).stderr.split("\n").at(-2);
  expect(await named()).toBe('"Anatol Limes" is member bo-2.');
  expect(await named("--at", "1")).toBe('"Anatol Limes" is member anatol.');
  expect(await named("--at", "2")).toBe('"Anatol Limes" is member bo-2.');
});

test("find lists what the explorer's search field lists", async () => {
  const found = await run("find", "engine no", "--format", "ndjson");
  expect(
    found.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([{ kind: "space", id: "s6", title: "Engine / Notes", path: [] }]);
  const table = await run("find", "guides");
  expect(table.stdout).toBe("kind   id    title or name\nspace  docs  Guides\nsite   www   Guides\n");
  expect(await run("find", "nothing like this")).toEqual({
    status: 0,
    stdout: "",
    stderr: "Nothing is found.\n",
  });
  expect((await run("find", "engine", "--format", "csv")).stdout.split("\r\n")).toContain(
    "collection,c2,Engine,Engine,",
  );
});

test.each([
  [["token", "create", "--organization", "The Names"]],
  [["token", "create", "--organization", "names", "--member", "Ana Lima"]],
  [["organization", "remove", "The Names", "--yes"]],
  [["organization", "forget-user", "Gone", "--organization", "The Names"]],
  [["verify", "--repair", "--organization", "The Names"]],
])("%j accepts ids alone", async (args) => {
  const { status, stdout, stderr } = await run(...args);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^There is no |is not a member/);
});
