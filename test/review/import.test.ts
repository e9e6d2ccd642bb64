/** `import --rules`: its output, the refusals of `--enforce`, and the recorded results. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import type { Examined } from "../../src/store/writing/organization-change.ts";
import { everyoneOn } from "../../src/model/members.ts";
import { findContent } from "../../src/model/model.ts";
import { ruleOf } from "../../src/review/read-rules.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { ruleResults } from "../../src/store/rule-results.ts";
import { rolebook } from "../command.ts";
import { acme } from "../examples/acme.ts";
import { type SnapshotRecord, toLines } from "../oracle/records.ts";
import { ownPlace, type Place } from "../world.ts";

const folder = mkdtempSync(join(tmpdir(), "rolebook-rules-"));
let place: Place;
let environment: Record<string, string>;

const RULES = file(
  "rules.yaml",
  [
    "rules:",
    "- { rule: Guests stay out of People, who: guests, what: { below: people }, how: none }",
    "- { rule: Two admins at most, what: organization, how: { at most: 2 }, role: admin }",
    "- { rule: Nobody is direct, what: everything, how: none, permissions: direct }",
  ].join("\n"),
);

/** A permission of Kofi, a guest, on collection People. */
const KOFI: SnapshotRecord = {
  object: "permission",
  collection: "people",
  user: "kofi@partner.example",
  permission: "edit",
};

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

beforeAll(async () => {
  place = await ownPlace();
  environment = { ROLEBOOK_DATABASE_URL: place.url };
});
afterAll(async () => {
  await place.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function recorded() {
  const engine = await openEngine(place.url);
  try {
    return await ruleResults(engine, "acme");
  } finally {
    await engine.close();
  }
}

const direct = acme.filter((record) => record.object === "permission" && record.user !== undefined).length;
const BROKEN = 'This breaks the rule "Guests stay out of People", which was kept; breaches: 2\n';

describe("an import", () => {
  test("reports the rules that a first state breaks, and records all results", async () => {
    const { status, stderr } = await rolebook(
      ["import", file("a.ndjson", toLines(acme)), "--rules", RULES],
      environment,
    );
    expect(status).toBe(0);
    expect(stderr).toContain(`This breaks the rule "Nobody is direct"; breaches: ${direct}\n`);
    expect(stderr).toContain(`  and ${direct - 5} more\n`);
    expect(await recorded()).toMatchObject({
      revision: 1,
      results: [
        { rule: "Guests stay out of People", breaches: 0 },
        { rule: "Two admins at most", breaches: 0 },
        { rule: "Nobody is direct", breaches: direct },
      ],
    });
    const rules = (await recorded())?.results.map(({ definition = "" }) => ruleOf(definition).words);
    expect(rules).toEqual(["Guests stay out of People", "Two admins at most", "Nobody is direct"]);
  });

  test("reports newly broken rules, and is refused with --enforce, dry run or not", async () => {
    const worse = file("b.ndjson", toLines([...acme, KOFI]));
    for (const dry of [["--dry-run"], []]) {
      const refused = await rolebook(["import", worse, "--rules", RULES, "--enforce", ...dry], environment);
      expect(refused.status).toBe(3);
      expect(refused.stderr).toContain(BROKEN);
      expect(refused.stderr).toContain(
        "  Kofi Mensah (kofi@partner.example): edit on People (collection/people), direct permission here\n",
      );
      expect(refused.stderr).not.toContain("Nobody is direct");
      expect(refused.stderr).toContain(
        "Refused by --enforce: this would break a rule. Nothing was changed.\n",
      );
    }
    expect(await recorded()).toMatchObject({ revision: 1 });
    const dry = await rolebook(["import", worse, "--rules", RULES, "--dry-run"], environment);
    expect(dry).toMatchObject({ status: 0 });
    expect(dry.stderr).toContain(BROKEN);
    expect((await rolebook(["export", "--organization", "acme"], environment)).stdout).not.toContain(
      '"collection":"people","user":"kofi@partner.example"',
    );

    const done = await rolebook(["import", worse, "--rules", RULES], environment);
    expect(done).toMatchObject({ status: 0 });
    expect(done.stderr).toContain(BROKEN);
    const after = await recorded();
    expect(after?.results.map(({ breaches }) => breaches)).toEqual([2, 0, direct + 1]);
    // A breach that existed before the import is not new.
    const again = await rolebook(["import", worse, "--rules", RULES, "--enforce"], environment);
    expect(again).toMatchObject({ status: 0 });
    expect(again.stderr).not.toContain("breaks");
  });

  test("batches are checked one by one, and each outcome names newly broken rules", async () => {
    const batch = (...records: object[]) =>
      [
        { object: "changes", organization: "acme" },
        ...records,
        { object: "end", records: records.length + 1 },
      ]
        .map((each) => `${JSON.stringify(each)}\n`)
        .join("");
    const admins = batch(
      { object: "user", id: "late", displayName: "Late" },
      { object: "member", organization: "acme", user: "late", role: "admin" },
    );
    const renamed = batch({ object: "organization", id: "acme", title: "Acme & Daughters" });
    const follow = async (text: string, ...more: string[]) => {
      const args = ["apply", "--follow", file("batches.ndjson", text), "--rules", RULES, ...more];
      const { status, stdout } = await rolebook(args, environment);
      expect(status).toBe(0);
      return stdout
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line));
    };
    const broken = ["Two admins at most"];
    const answers = await follow(admins + renamed, "--enforce", "--dry-run");
    expect(answers).toMatchObject([
      { outcome: "refused", brokenRules: broken },
      { outcome: "changed", brokenRules: [] },
    ]);
    const before = await recorded();
    expect(await follow(admins, "--enforce")).toMatchObject([{ outcome: "refused", brokenRules: broken }]);
    expect(await recorded()).toEqual(before);
    const [done] = await follow(renamed);
    expect(done).toMatchObject({ outcome: "changed", brokenRules: [] });
    const after = await recorded();
    expect(done).toMatchObject({ revision: after?.revision });
    expect(after?.results).toEqual(before?.results);
  });

  test("a change does the same, whether it is written as a change or as a whole", async () => {
    const grant = {
      object: "permission",
      collection: "people",
      user: "jonas@partner.example",
      permission: "read",
    };
    const changes = (...records: object[]) =>
      file(
        "change.ndjson",
        [{ object: "changes", organization: "acme" }, ...records]
          .map((each) => `${JSON.stringify(each)}\n`)
          .join(""),
      );
    const admin = changes(
      grant,
      { object: "user", id: "new", displayName: "New" },
      { object: "member", organization: "acme", user: "new", role: "admin" },
    );
    const before = await recorded();
    const broken = 'This breaks the rule "Two admins at most", which was kept; breaches: 1\n';
    const dry = await rolebook(["apply", admin, "--rules", RULES, "--dry-run"], environment);
    expect(dry).toMatchObject({ status: 0 });
    expect(dry.stderr).toContain(broken);
    const refused = await rolebook(["apply", admin, "--rules", RULES, "--enforce"], environment);
    expect(refused).toMatchObject({ status: 3 });
    expect(refused.stderr).toContain(broken);

    const engine = await openEngine(place.url);
    try {
      const change = await readChange(admin, false, () => {});
      for (const isRehearsal of [true, false]) {
        const counted: number[] = [];
        const examination = {
          isRehearsal,
          examine: async ({ after }: Examined) => {
            const people = findContent(after, "collection/people") ?? NaN;
            counted.push(everyoneOn(after, people, undefined, { from: 0, most: 1000 }).length);
            if (!isRehearsal) throw new Error("not this");
          },
          record: async () => {},
        };
        const applied = applyChange(engine, change, { examination });
        if (isRehearsal) expect(await applied).toMatchObject({ revision: undefined });
        else await expect(applied).rejects.toThrow("not this");
        expect(counted).toEqual([8]);
      }
    } finally {
      await engine.close();
    }
    expect(await recorded()).toEqual(before);

    const done = await rolebook(["apply", changes(grant), "--rules", RULES], environment);
    expect(done).toMatchObject({ status: 0 });
    expect((await recorded())?.results.map(({ breaches }) => breaches)).toEqual([4, 0, direct + 2]);
  });

  test("a rule on contents that are removed is checked on nothing, and said to be", async () => {
    const inside = ["people", "hiring", "salaries", "benefits"];
    const without = acme.filter((record) => {
      const { id, object, ...on }: { object: string; id?: string; space?: string; collection?: string } =
        record;
      const isContent = object === "space" || object === "collection";
      return !inside.includes((isContent ? id : undefined) ?? on.space ?? on.collection ?? "");
    });
    const gone = file("c.ndjson", toLines(without));
    const { status, stderr } = await rolebook(
      ["import", gone, "--rules", RULES, "--enforce", "--allow-removals"],
      environment,
    );
    expect(stderr).toContain(
      'The rule "Guests stay out of People" names what is not there: collection "people".\n',
    );
    expect(status).toBe(0);
  });

  test("options that exclude each other", async () => {
    const a = file("a.ndjson", toLines(acme));
    expect(await rolebook(["import", a, "--enforce"], environment)).toMatchObject({
      status: 2,
      stderr: "--enforce is given without --rules; accepted: both, or neither.\n",
    });
    const other: SnapshotRecord = { object: "organization", id: "other", title: "Other" };
    const two = file("two.ndjson", toLines([...acme, KOFI, other]));
    const ran = await rolebook(["import", two, "--rules", RULES, "--allow-empty"], environment);
    expect(ran.stderr).toContain("--rules takes one organization at a time; nothing was changed.\n");
    expect(ran.status).toBe(1);
    expect((await rolebook(["organization", "list"], environment)).stdout).not.toContain("other");
  });
});

test("check --record stores the result of the current state", async () => {
  const one = file(
    "one.yaml",
    "rules: [{ rule: One, what: organization, how: { at most: 1 }, role: admin }]",
  );
  expect(await rolebook(["check", one, "--record"], environment)).toMatchObject({ status: 1 });
  expect(await recorded()).toMatchObject({ results: [{ rule: "One", breaches: 1 }] });
  expect(await rolebook(["check", one, "--record", "--at", "1"], environment)).toMatchObject({ status: 2 });
});
