/** The differences between two states are those of the oracle, person by person on each content. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DIRECTIONS } from "../../src/domain/difference.ts";
import { textOf } from "../../src/model/texts.ts";
import { differences, type EachDifference, type Manner } from "../../src/model/differences.ts";
import { keyOf, memberId, type Model } from "../../src/model/model.ts";
import { effectiveOf } from "../oracle/effective.ts";
import { type Content, factsOf, type Facts, organizationIds } from "../oracle/facts.ts";
import { histories, organizations } from "../oracle/random/organizations.ts";
import { ROLES, type SnapshotRecord } from "../oracle/records.ts";
import { modelOf } from "./model-of.ts";
import { holds } from "../setup/property.ts";

const RUNS = 10 * Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);
/** One window with copies of no sheet, small windows with copies of most. */
const MANNERS: readonly Manner[] = [
  { window: 1000, copied: 1000 },
  { window: 2, copied: 0 },
];

function ranksOf(facts: Facts, user: string, content: Content): number {
  const role = effectiveOf(facts, user, content)?.role;
  return role === undefined ? 0 : ROLES.indexOf(role) + 1;
}

/** `content user before after` of each difference, by the oracle. */
function expected(before: Facts, after: Facts): string[] {
  const all: string[] = [];
  const contents = new Map<string, Content>();
  for (const facts of [before, after]) {
    for (const id of facts.collections.keys()) contents.set(`collection/${id}`, { kind: "collection", id });
    for (const id of facts.spaces.keys()) contents.set(`space/${id}`, { kind: "space", id });
  }
  for (const [key, content] of contents) {
    for (const user of new Set([...before.members.keys(), ...after.members.keys()])) {
      const [was, is] = [ranksOf(before, user, content), ranksOf(after, user, content)];
      if (was !== is) all.push(JSON.stringify([key, user, was, is]));
    }
  }
  return all.sort();
}

function expectDifferences(before: Model, after: Model, whole: readonly string[], manner: Manner): void {
  const found: string[] = [];
  const pairs: [content: number, person: number, was: number, is: number][] = [];
  const each: EachDifference = (...pair) => void pairs.push(pair);
  const walk = differences(before, after, each, manner);
  let step = walk.next();
  while (step.done !== true) step = walk.next();
  const { contents, people, sums } = step.value;
  const counted = new Uint32Array(sums.length);
  for (const [x, person, was, is] of pairs) {
    const [p, q] = [contents.was[x] ?? -1, contents.now[x] ?? -1];
    const [i, j] = [people.was[person] ?? -1, people.now[person] ?? -1];
    const key = q < 0 ? keyOf(before, p) : keyOf(after, q);
    found.push(JSON.stringify([key, i < 0 ? memberId(after, j) : textOf(before.members.ids, i), was, is]));
    const kind = was === 0 ? "gained" : is === 0 ? "lost" : is > was ? "raised" : "lowered";
    const at = 4 * x + DIRECTIONS.indexOf(kind);
    counted[at] = (counted[at] ?? 0) + 1;
  }
  expect(found.sort()).toEqual(whole);
  expect(sums).toEqual(counted);
}

function check(states: readonly SnapshotRecord[][]): void {
  for (const [at, records] of states.entries()) {
    const next = states[at + 1];
    if (next === undefined) return;
    for (const id of organizationIds(records)) {
      if (!organizationIds(next).includes(id)) continue;
      const [before, after] = [factsOf(records, id), factsOf(next, id)];
      const [p, q] = [modelOf(before), modelOf(after, true)];
      const whole = expected(before, after);
      for (const manner of MANNERS) {
        expectDifferences(p, q, whole, manner);
        expectDifferences(p, p, [], manner);
      }
    }
  }
}

test("of an organization that goes on changing", () => {
  holds(fc.property(histories({}, 3), check), { numRuns: RUNS });
});

test("whoever becomes an organization admin also differs below what they had as admin", () => {
  const DATE = "2026-01-01T00:00:00.000Z";
  const stateWith = (role: "admin" | null): SnapshotRecord[] => [
    { object: "organization", id: "o", title: "o" },
    { object: "user", id: "ana", displayName: "Ana" },
    { object: "member", organization: "o", user: "ana", role },
    { object: "collection", id: "c", organization: "o", title: "c" },
    {
      object: "space",
      id: "s",
      organization: "o",
      title: "s",
      createdAt: DATE,
      updatedAt: DATE,
      parent: "c",
    },
    { object: "permission", collection: "c", user: "ana", permission: "admin" },
    { object: "permission", space: "s", user: "ana", permission: "comment" },
  ];
  expect(expected(factsOf(stateWith(null), "o"), factsOf(stateWith("admin"), "o"))).toHaveLength(1);
  check([stateWith(null), stateWith("admin"), stateWith(null)]);
});

test("of two organizations that have nothing but ids in common", () => {
  const named = (records: readonly SnapshotRecord[]) => {
    const [id = ""] = organizationIds(records);
    return records
      .filter((record) => !("organization" in record) || record.organization === id)
      .map((record): SnapshotRecord =>
        record.object === "organization" && record.id === id
          ? { ...record, id: "same" }
          : "organization" in record
            ? { ...record, organization: "same" }
            : record,
      );
  };
  const one = organizations({ maxOrganizations: 1 }).map(named);
  holds(
    fc.property(one, one, (before, after) => check([before, after])),
    { numRuns: RUNS },
  );
});
