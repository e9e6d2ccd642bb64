import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type ContentKey, contentKey, idOf, kindOf } from "../../../../src/domain/content.ts";
import { DIRECTIONS, type Direction } from "../../../../src/domain/difference.ts";
import { compareCauses } from "../../../../src/domain/changed-record.ts";
import type { DifferenceFilter } from "../../../../src/domain/difference-filter.ts";
import type { Comparison } from "../../../../src/model/comparison.ts";
import { countedPairs, type DiffRow } from "../../../../src/model/pairs.ts";
import { contentDifferences } from "../../../../src/model/summary.ts";
import { MOST_CAUSES } from "../../../../src/model/summary-causes.ts";
import { compare as openComparison } from "../../../../src/store/revisions/diff/diff.ts";
import type { Revision } from "../../../../src/store/reading.ts";
import { type Facts, factsOf, organizationIds } from "../../../oracle/facts.ts";
import { atLeast, effectiveOf } from "../../../oracle/effective.ts";
import { histories } from "../../../oracle/random/organizations.ts";
import { byBytes } from "../../../oracle/order.ts";
import { ROLES, type Role, type SnapshotRecord } from "../../../oracle/records.ts";
import { type OpenPlace, World } from "../../../world.ts";
import { applyRecords, compareRecords } from "./records.ts";
import { peopleIn, rowsOf, whole } from "./whole.ts";
import { holds } from "../../../setup/property.ts";

const SIZES = {
  maxOrganizations: 2,
  minMembers: 3,
  maxMembers: 10,
  minContents: 3,
  maxContents: 14,
  minPermissions: 6,
  maxPermissions: 40,
};

/** A state of an organization, with its revision. */
export interface State {
  readonly at: Revision;
  readonly facts: Facts;
}

interface Pair {
  readonly content: string;
  readonly user: string;
  readonly before: Role | undefined;
  readonly after: Role | undefined;
}

const filters: fc.Arbitrary<DifferenceFilter> = fc.record(
  {
    role: fc.constantFrom(...ROLES),
    least: fc.constantFrom(...ROLES),
    directions: fc.subarray([...DIRECTIONS], { minLength: 1 }).map((each) => new Set(each)),
    guests: fc.boolean(),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const generations = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });

/**
 * The differences between two revisions equal the oracle's, pair by pair: of any two revisions if `isWhole`, else of
 * each revision and the next one, and of the last and the first.
 */
export function exerciseDiffs(open: OpenPlace, runs: number, isWhole: boolean): void {
  test("the differences of any two revisions of random histories equal the oracle's, with their causes", async () => {
    await holds(
      fc.asyncProperty(histories(SIZES, 2), generations, filters, async (history, anew, filter) => {
        const world = await World.open(open);
        try {
          for (const states of (await statesOf(world, history, anew)).values()) {
            for (const [index, from] of states.entries()) {
              const next = states.at(index + 1 - states.length) ?? from;
              for (const to of isWhole ? states : [next]) {
                if (from.at.revision === to.at.revision) continue;
                await compare(world, from, to, [{}, filter]);
                await compareRecords(world, from.at, to.at);
              }
            }
            const [first, last] = [states[0]?.at, states.at(-1)?.at];
            if (first !== undefined && last !== undefined && first !== last)
              await applyRecords(world, last, first);
          }
        } finally {
          await world.close();
        }
      }),
      { numRuns: runs },
    );
  });
}

/** Imports a history. Returns its revisions by organization. `anew` says which imports begin a new generation. */
export async function statesOf(
  world: World,
  history: readonly (readonly SnapshotRecord[])[],
  anew: readonly boolean[],
): Promise<Map<string, State[]>> {
  const found = new Map<string, State[]>();
  for (const [step, records] of history.entries()) {
    const isWhole = () => anew[step] === true;
    await world.import(records, { allowRemovals: true, allowEmpty: true, isWhole });
    for (const id of organizationIds(records)) {
      const current = (await world.store.registry.organization(id))?.current;
      const states = found.get(id) ?? [];
      found.set(id, states);
      if (current === undefined || states.at(-1)?.at.revision === current.revision) continue;
      states.push({ at: current, facts: factsOf(records, id) });
    }
  }
  return found;
}

/** Compares the difference of two states with the oracle's. */
export async function compare(
  world: World,
  from: State,
  to: State,
  filters: readonly DifferenceFilter[],
): Promise<void> {
  const [before, after] = [world.store.reading(from.at), world.store.reading(to.at)];
  for (const kept of filters) {
    const diff = await openComparison({ before, after }, kept);
    const wanted = pairsOf(from.facts, to.facts).filter((pair) => keeps(kept, pair, from.facts, to.facts));

    const rows = rowsOf(diff);
    expect(whole(countedPairs(diff)).total).toBe(wanted.length);
    expect(rows.map(pairOf)).toEqual(wanted);
    const [earliest, latest] = [from.at.revision, to.at.revision].sort((a, b) => a - b);
    expect(rows.filter(({ causes }) => causes.length === 0)).toEqual([]);
    for (const { revision } of new Set(rows.flatMap(({ causes }) => causes))) {
      expect(revision).toBeGreaterThan(earliest ?? 0);
      expect(revision).toBeLessThanOrEqual(latest ?? 0);
    }

    const apart = peopleApart(from.facts, to.facts);
    expect(
      peopleIn(diff).map(({ user, before, after, contents }) => [user.id, before, after, contents]),
    ).toEqual(
      apart
        .map((user) => [
          user,
          from.facts.members.get(user),
          to.facts.members.get(user),
          wanted.filter((pair) => pair.user === user).length,
        ])
        .filter(([, , , contents]) => !isFiltering(kept) || contents !== 0),
    );

    // test/cli/commands/diff-summary.test.ts compares what the summary has of newcomers.
    const others = Map.groupBy(
      wanted.filter(({ user }) => !apart.includes(user)),
      ({ content }) => content,
    );
    const contents = whole(contentDifferences(diff, { isOfOthers: true }));
    const all = whole(contentDifferences(diff));
    expect(whole(contentDifferences(diff, { manner: { window: 2, copied: 0 } }))).toEqual(all);
    for (const { content, counts } of all.slice(0, 2)) {
      const [alone] = whole(contentDifferences(diff, { among: [content] }));
      expect(alone?.counts).toEqual(counts);
    }
    expect(contents.map(({ content, counts }) => [content, counts])).toEqual(
      [...others].map(([content, pairs]) => [
        content,
        DIRECTIONS.map((direction) => pairs.filter((pair) => directionOf(pair) === direction).length),
      ]),
    );
    for (const { content, causes } of contents) {
      const told = rows.filter((row) => contentOf(row) === content && !apart.includes(row.user.id));
      const all = [...new Set(told.flatMap((row) => row.causes))].sort(compareCauses);
      expect(causes, content).toEqual(all.slice(0, MOST_CAUSES));
    }
    if (kept === filters.at(-1)) compareParts(diff, rows);
  }
}

/** Compares the differences for some contents, and for one user, with the same parts of the whole difference. */
function compareParts(diff: Comparison, rows: readonly DiffRow[]): void {
  const [first] = rows;
  if (first === undefined) return;
  const user = first.user.id;
  expect(rowsOf(diff, { users: [user] })).toEqual(rows.filter((row) => row.user.id === user));
  const two = [...new Set(rows.map((row) => row.user.id))].toReversed().slice(0, 2);
  expect(rowsOf(diff, { users: two })).toEqual(rows.filter((row) => two.includes(row.user.id)));
  const contents = [contentOf(first), contentKey("space", "nowhere")];
  expect(rowsOf(diff, { contents })).toEqual(rows.filter((row) => contentOf(row) === contents[0]));
}

function contentOf({ content }: DiffRow): ContentKey {
  return contentKey(content.kind, content.id);
}

function pairOf(row: DiffRow): Pair {
  return {
    content: contentOf(row),
    user: row.user.id,
    before: row.before?.role,
    after: row.after?.role,
  };
}

/** The oracle's pairs of user and content whose role differs, by content, then user. */
function pairsOf(before: Facts, after: Facts): Pair[] {
  const keys = [before, after].flatMap(({ spaces, collections }) => [
    ...[...spaces.keys()].map((id) => contentKey("space", id)),
    ...[...collections.keys()].map((id) => contentKey("collection", id)),
  ]);
  const users = [...new Set([...before.members.keys(), ...after.members.keys()])].sort(byBytes);
  return [...new Set(keys)].sort(byBytes).flatMap((content) =>
    users.flatMap((user): Pair[] => {
      const [was, becomes] = [before, after].map(
        (facts) => effectiveOf(facts, user, { kind: kindOf(content), id: idOf(content) })?.role,
      );
      return was === becomes ? [] : [{ content, user, before: was, after: becomes }];
    }),
  );
}

/** The people who joined, left, or have another organization role. */
function peopleApart(before: Facts, after: Facts): string[] {
  return [...new Set([...before.members.keys(), ...after.members.keys()])]
    .filter((user) => before.members.get(user) !== after.members.get(user))
    .sort(byBytes);
}

function directionOf({ before, after }: Pair): Direction {
  if (before === undefined) return "gained";
  if (after === undefined) return "lost";
  return ROLES.indexOf(before) < ROLES.indexOf(after) ? "raised" : "lowered";
}

function isFiltering({ role, least, directions, guests }: DifferenceFilter): boolean {
  return role !== undefined || least !== undefined || directions !== undefined || guests === true;
}

function keeps(
  { role, least, directions, guests }: DifferenceFilter,
  pair: Pair,
  before: Facts,
  after: Facts,
): boolean {
  if (directions !== undefined && !directions.has(directionOf(pair))) return false;
  // One of the two roles must pass both filters.
  const isWanted = (held: Role | undefined) =>
    (role === undefined || held === role) &&
    (least === undefined || (held !== undefined && atLeast(held, least)));
  if (!isWanted(pair.before) && !isWanted(pair.after)) return false;
  if (guests !== true) return true;
  return [before, after].some(({ members }) => members.get(pair.user) === null);
}
