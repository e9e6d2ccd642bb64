/** Runs the commands for reviews and for comparing revisions, to record their statements. */
import { resolveRules } from "../../../../src/review/resolve.ts";
import { readRules } from "../../../../src/review/read-rules.ts";
import { LONGEST } from "../../../../src/store/rows/lists.ts";
import { tidy } from "../../../../src/review/tidy.ts";
import { compare } from "../../../../src/store/revisions/diff/diff.ts";
import { changedRecords, loggedRecordsOf } from "../../../../src/store/revisions/diff/log.ts";
import { modelOf } from "../../../../src/store/models.ts";
import { revisionFrom } from "../../../../src/store/revisions/past.ts";
import { readConsistently, readTwoConsistently } from "../../../../src/store/revisions/consistent-read.ts";
import { keepRuleResults, ruleResults } from "../../../../src/store/rule-results.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import type { World } from "../../../world.ts";
import { SHAPE } from "../../shape.ts";

const RULES = [
  { rule: "sites", who: "guests", what: "sites", how: "none" },
  { rule: "below", who: { team: "small" }, what: { below: "closed" }, how: "only" },
  {
    rule: "direct",
    who: "guests",
    what: { "everything but": { site: "both" } },
    how: "none",
    permissions: "direct",
  },
  { rule: "admins", what: "organization", how: { "at most": 5 }, role: "admin" },
];

/** Runs what `rolebook check --record` and `rolebook tidy` run. */
export async function reviewAll({ store }: World): Promise<void> {
  const rules = readRules(JSON.stringify({ rules: RULES }), "rules.yaml");
  await readConsistently(store, SHAPE, async (at, reader) => {
    const reading = store.reading(at, reader);
    const model = await modelOf(reading);
    const { unresolved } = await resolveRules(reading, model, rules, "2026-01-01");
    if (unresolved.length > 0) throw new Error(`Not askable: ${unresolved[0]?.problem}`);
    for (const name of [
      { who: { team: "x" } },
      { who: { user: "x" } },
      { what: { site: "x" } },
      { what: { space: "x" } },
    ]) {
      const gone = [{ rule: "gone", what: "everything", how: "none", ...name }];
      const misspelt = readRules(JSON.stringify({ rules: gone }), "rules.yaml");
      await resolveRules(reading, model, misspelt, "2026-01-01");
    }
    for await (const _ of tidy(reading));
  });
  const results = RULES.map(({ rule }) => ({ rule, breaches: 1 }));
  await store.engine.transaction((connection) =>
    keepRuleResults(connection, SHAPE, { revision: 1, checkedAt: "2026-01-01T00:00:00.000Z", results }),
  );
  await ruleResults(store.engine, SHAPE);
}

const DATE = "2025-03-01T09:30:00.000Z";
const PAST = "past";

/** Reads pages of changed listings, and runs `rolebook diff` within one generation and between two. */
export async function compareAll(world: World): Promise<void> {
  const { store } = world;
  const revisions: number[] = [];
  for (const [changed, isWhole] of [
    [false, true],
    [true, false],
    [false, true],
  ] as const) {
    await world.import(pastRecords(changed), {
      allowRemovals: true,
      allowEmpty: true,
      isWhole: () => isWhole,
    });
    const found = await store.registry.organization(PAST);
    revisions.push(found?.current.revision ?? 0);
    // Keys that were added between others are not in slot order, so pages look them up one by one.
    if (changed) await askPast(world, revisions);
  }
  // Only one membership differs, so the members are compared by their own teams.
  const fewer = pastRecords(false).filter(
    (record) => !(record.object === "teamMember" && record.user === "m"),
  );
  await world.import(fewer, { allowRemovals: true, isWhole: () => false });
  revisions.push((await store.registry.organization(PAST))?.current.revision ?? 0);
  await readConsistently(store, PAST, async (at, reader) => {
    await revisionFrom(store.reading(at, reader), PAST, at.revision);
    for await (const _ of tidy(store.reading(at, reader)));
  });
  const [first, second, third, fourth] = revisions;
  for (const [from, to] of [
    [first, second],
    [second, first],
    [second, third],
    [third, fourth],
  ]) {
    const whens = { from: when(from), to: when(to) };
    await readTwoConsistently(store, PAST, whens, async (at, reader) => {
      const [before, after] = [store.reading(at.from, reader), store.reading(at.to, reader)];
      await compare({ before, after });
      const [earlier, later] = at.from.revision < at.to.revision ? [at.from, at.to] : [at.to, at.from];
      await loggedRecordsOf(reader, earlier, later, ["a", "rich"], ["permission"]);
      await changedRecords(reader, earlier, later);
    });
  }
}

function when(revision: number | undefined) {
  const spelt = String(revision);
  return { when: { kind: "revision", revision: revision ?? 0 }, spelt } as const;
}

async function askPast(world: World, [earlier, later]: readonly number[]): Promise<void> {
  const token = await world.token(PAST);
  for (const path of [
    `/explorer/access?list=changes&earlier=${earlier}&later=${later}`,
    `/explorer/access?space=x&tab=changes&earlier=${earlier}&later=${later}`,
    `/explorer/since?earlier=${earlier}`,
    "/v1/spaces/x/permissions/aggregate",
    "/v1/spaces/x/permissions/users",
    `/v1/orgs/${PAST}/members/a/spaces?limit=3`,
    "/explorer/access?list=members",
    "/explorer/access?space=x",
    "/explorer/access?member=a",
  ]) {
    const { status, body } = await world.get(path, token);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
  }
}

/** More than a part of a list has. */
const MANY = Array.from({ length: LONGEST + 1 }, (_, index) => `many-${index}`);

/** With `changed`, people and contents are added between others, and one permission of each kind differs. */
function pastRecords(changed: boolean): SnapshotRecord[] {
  const organization = PAST;
  const members = changed ? ["a", "aa", "m", "rich"] : ["a", "m", "rich"];
  const spaces = changed ? ["x", "xx", "y", ...MANY] : ["x", "y", ...MANY];
  const permission = changed ? "admin" : "read";
  return [
    { object: "organization", id: organization, title: "Past" },
    ...members.flatMap((user): SnapshotRecord[] => [
      { object: "user", id: user, displayName: user },
      { object: "member", organization, user, role: user === "m" ? permission : "read" },
      { object: "teamMember", team: "t", user, role: "member" },
    ]),
    { object: "team", id: "t", organization, title: "T", createdAt: DATE },
    { object: "collection", id: "k", organization, title: "K" },
    ...spaces.map((id): SnapshotRecord => ({
      object: "space",
      id,
      organization,
      title: id,
      parent: "k",
      createdAt: DATE,
      updatedAt: DATE,
    })),
    { object: "permission", collection: "k", team: "t", permission },
    { object: "permission", space: "x", team: "t", permission: "edit" },
    { object: "permission", space: "y", user: "a", permission },
    { object: "permission", space: "y", user: "rich", permission },
    { object: "user", id: "guest", displayName: "Guest" },
    { object: "member", organization, user: "guest", role: null },
    ...MANY.flatMap((id): SnapshotRecord[] => [
      { object: "team", id, organization, title: id, createdAt: DATE },
      { object: "teamMember", team: id, user: "guest", role: "member" },
      { object: "permission", space: id, user: "rich", permission: "edit" },
    ]),
    ...(changed ? [] : [{ object: "teamMember", team: "u", user: "a", role: "member" } as const]),
    { object: "team", id: "u", organization, title: "U", createdAt: DATE },
  ];
}
