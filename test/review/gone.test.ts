/** Rules that name somebody who left: `check` and `import --rules` as an operator runs them each night. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { rolebook } from "../command.ts";
import { temporaryFolder } from "../folder.ts";
import { type SnapshotRecord, toLines } from "../oracle/records.ts";
import { ownPlace, World } from "../world.ts";

const folder = temporaryFolder();
const TIME = "2026-01-01T00:00:00Z";
const organization = "o";

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Rules by their words, as a rules file. */
function rulesFile(rules: Readonly<Record<string, object>>): string {
  const all = Object.entries(rules).map(([rule, rest]) => ({ rule, ...rest }));
  return file("rules.yaml", JSON.stringify({ rules: all }));
}

const guide = { space: "guide" };
const ana = { user: "ana" };

/** The last night: Ana, her team and space Old were still there. */
const BEFORE: SnapshotRecord[] = [
  { object: "organization", id: organization, title: "O" },
  ...["ana", "bea", "cleo"].flatMap((user): SnapshotRecord[] => [
    { object: "user", id: user, displayName: user },
    { object: "member", organization, user, role: null },
  ]),
  { object: "team", id: "writers", organization, title: "Writers", createdAt: TIME },
  { object: "teamMember", team: "writers", user: "ana", role: "member" },
  ...["guide", "old"].map((id): SnapshotRecord => ({
    object: "space",
    id,
    organization,
    title: id,
    createdAt: TIME,
    updatedAt: TIME,
  })),
  { object: "permission", space: "guide", team: "writers", permission: "edit" },
  { object: "permission", space: "guide", user: "cleo", permission: "edit" },
];

const LEFT = ["ana", "writers", "old"];
/** Tonight. */
const AFTER = BEFORE.filter((record) => {
  const { id, user, team }: { object: string; id?: string; user?: string; team?: string } = record;
  return ![id, user, team].some((each) => each !== undefined && LEFT.includes(each));
});

const RULES = {
  "Ana has nothing": { who: ana, what: "everything", how: "none" },
  "Ana alone edits the guide": { who: ana, what: guide, how: "only" },
  "No writer edits": { who: { team: "writers" }, what: guide, how: { "at most": 0 } },
  "Nothing on Old": { what: { space: "old" }, how: "none" },
  "Ana edits": { who: ana, what: guide, how: "all" },
  "A writer edits": { who: [{ team: "writers" }, { user: "cleo" }], what: guide, how: { "at least": 1 } },
  "Somebody on Old": { what: { space: "old" }, how: { "at least": 1 } },
  "Bea has nothing": { who: { user: "bea" }, what: "everything", how: "none" },
};
const STANDING = {
  "Ana has nothing": "kept",
  "Ana alone edits the guide": "broken",
  "No writer edits": "kept",
  "Nothing on Old": "kept",
  "Ana edits": "cannot be checked",
  "A writer edits": "cannot be checked",
  "Somebody on Old": "cannot be checked",
  "Bea has nothing": "kept",
};

let world: World;
const run = (...args: string[]) => rolebook(args, { ROLEBOOK_DATABASE_URL: world.url });

async function standing(rules: string, ...args: string[]) {
  const { status, stdout, stderr } = await run("check", rules, "--format", "ndjson", ...args);
  const lines: { object: string; rule: string; result: string }[] = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const results = lines.flatMap(({ object, rule, result }) => (object === "rule" ? [[rule, result]] : []));
  return { status, stderr, results: Object.fromEntries(results) };
}

/** What the explorer has recorded. */
async function recorded() {
  const { body } = await world.get("/explorer/rules", await world.token(organization));
  const { rules }: { rules: { rule: string; breaches: number | null }[] } = JSON.parse(body);
  return Object.fromEntries(rules.map(({ rule, breaches }) => [rule, breaches]));
}

describe("after somebody left", () => {
  const tonight = () => file("tonight.ndjson", toLines(AFTER));

  beforeEach(async () => {
    world = await World.open(ownPlace);
    await world.import(BEFORE);
    return () => world.close();
  });

  test("the nightly import goes through with --enforce, and checks the other rules", async () => {
    const rules = rulesFile(RULES);
    expect((await standing(rules)).results["Ana alone edits the guide"]).toBe("broken");
    const { status, stderr } = await run(
      "import",
      tonight(),
      "--allow-removals",
      "--rules",
      rules,
      "--enforce",
    );
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stderr).toContain(
      'The rule "Ana edits" cannot be checked: There is no member "ana" in organization o at this revision.\n',
    );
    expect(stderr).toContain('The rule "Ana has nothing" names what is not there: member "ana".\n');
    expect(stderr).not.toContain("breaks");
    expect(await recorded()).toEqual({
      "Ana has nothing": 0,
      "Ana alone edits the guide": 1,
      "No writer edits": 0,
      "Nothing on Old": 0,
      "Ana edits": null,
      "A writer edits": null,
      "Somebody on Old": null,
      "Bea has nothing": 0,
    });
  });

  test("a rule that newly breaks is refused all the same", async () => {
    const given: SnapshotRecord = { object: "permission", space: "guide", user: "bea", permission: "read" };
    const worse = file("worse.ndjson", toLines([...AFTER, given]));
    const args = ["import", worse, "--allow-removals", "--rules", rulesFile(RULES), "--enforce"];
    const { status, stderr } = await run(...args);
    expect(status).toBe(3);
    expect(stderr).toContain('This breaks the rule "Bea has nothing", which was kept; breaches: 1\n');
    expect(stderr).toContain("Refused by --enforce: this would break a rule.");
  });

  test("a rule that was broken before is not newly broken because a team comes that it names", async () => {
    const rules = rulesFile({ "Only editors": { who: { team: "editors" }, what: guide, how: "only" } });
    const team: SnapshotRecord = { object: "team", id: "editors", organization, title: "E", createdAt: TIME };
    const better = file("better.ndjson", toLines([...BEFORE, team]));
    expect(await run("import", better, "--rules", rules, "--enforce")).toMatchObject({ status: 0 });
  });

  test("check says what cannot be checked, with exit status 1, in every format", async () => {
    await world.import(AFTER);
    const rules = rulesFile(RULES);
    expect(await standing(rules)).toMatchObject({ status: 1, results: STANDING });
    const { stdout, stderr } = await run("check", rules);
    expect(stdout).toMatch(/^cannot be checked +Ana edits$/m);
    expect(stderr).toContain(
      'The rule "Somebody on Old" cannot be checked: There is no space "old" in organization o at this revision.\n',
    );
    expect(stderr).toContain("1 of 8 rules broken, 4 kept, 3 cannot be checked: 1 breach.\n");
    const csv = await run("check", rules, "--format", "csv");
    expect(csv.stdout).toMatch(/^cannot be checked,Ana edits,.*"?There is no member ""ana"" in/m);
    // Without a broken rule, too.
    const one = rulesFile({ "Ana edits": RULES["Ana edits"] });
    expect(await run("check", one)).toMatchObject({ status: 1 });
    // At the time of the earlier state, every rule can be checked.
    expect((await standing(rulesFile(RULES), "--at", "1")).results).toMatchObject({
      "Ana edits": "kept",
      "A writer edits": "kept",
      "Ana has nothing": "broken",
    });
  });

  test("at an earlier revision, nobody is said to have gone who came later; each name stands once", async () => {
    await world.import(AFTER);
    const both = [ana, { "all of": [ana, { user: "bea" }] }];
    const { stderr } = await run(
      "check",
      rulesFile({
        "Ana edits": { who: both, what: guide, how: "all" },
        "Ana has nothing": { who: both, what: guide, how: "none" },
      }),
    );
    await world.import(BEFORE);
    const came = await run("check", rulesFile({ "Ana has nothing": RULES["Ana has nothing"] }), "--at", "2");
    const note = 'The rule "Ana has nothing" names what is not there: member "ana".\n';
    expect(came.stderr).toBe(`${note}The rule is kept.\n`);
    expect(stderr).toContain(note);
    expect(stderr).toContain('There is no member "ana" in organization o at this revision.\n');
  });

  test("a name that never was there is misspelt, and stays so", async () => {
    const misspelt = rulesFile({
      "Anna has nothing": { who: { user: "anna" }, what: "everything", how: "none" },
    });
    const refused = {
      status: 2,
      stderr: expect.stringContaining('There is no member "anna" in organization o.'),
    };
    expect(await run("check", misspelt)).toMatchObject(refused);
    const args = ["import", tonight(), "--allow-removals", "--rules", misspelt];
    expect(await run(...args, "--enforce")).toMatchObject({ status: 3 });
    const { status, stderr } = await run(...args);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stderr).toContain('"Anna has nothing" cannot be checked: There is no member "anna" in');
    expect(await recorded()).toEqual({ "Anna has nothing": null });
    // Recorded as it is, it is no known name.
    expect(await run("check", misspelt)).toMatchObject(refused);
  });
});

describe("when no kept revision has the name any more", () => {
  const DAY = 24 * 60 * 60_000;

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const longAgo = Date.now() - 800 * DAY;
      vi.setSystemTime(longAgo);
      world = await World.open(ownPlace);
      await world.import(BEFORE);
      vi.setSystemTime(longAgo + DAY);
      await world.import(AFTER);
    } finally {
      vi.useRealTimers();
    }
    const rules = rulesFile({ "Ana edits": RULES["Ana edits"], "Ana has nothing": RULES["Ana has nothing"] });
    expect(await run("check", rules, "--record")).toMatchObject({ status: 1 });
    const renamed = AFTER.map((record) =>
      record.object === "organization" ? { ...record, title: "P" } : record,
    );
    // This import ends what is older than 400 days.
    expect(await run("import", file("renamed.ndjson", toLines(renamed)))).toMatchObject({ status: 0 });
    expect((await run("revisions", "--format", "ndjson")).stdout).not.toContain('"revision":1,');
  });
  afterAll(() => world.close());

  test("a recorded rule that had it makes it known", async () => {
    const rules = rulesFile({ "Ana edits": RULES["Ana edits"], "Ana has nothing": RULES["Ana has nothing"] });
    expect(await standing(rules)).toMatchObject({
      status: 1,
      results: { "Ana edits": "cannot be checked", "Ana has nothing": "kept" },
    });
  });

  test("a name that no recorded rule had is misspelt", async () => {
    const { status, stderr } = await run("check", rulesFile({ "No writer edits": RULES["No writer edits"] }));
    expect({ status, stderr }).toMatchObject({ status: 2 });
    expect(stderr).toContain('There is no team "writers" in organization o.');
  });
});
