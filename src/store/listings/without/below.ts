/** Counts how removing a source changes the contents that inherit from the changed one. */
import type { ContentKey } from "../../../domain/content.ts";
import type { Effect } from "../../../domain/difference.ts";
import { ROLES } from "../../../domain/role.ts";
import type { Without } from "../../../domain/without.ts";
import type { Differing } from "../../../sets/difference.ts";
import { noSlots, type Words } from "../../../sets/words.ts";
import type { Content } from "../../directory/content.ts";
import { contents, ladderOf } from "../../directory/inheritance.ts";
import { type AccessDifference, added, countsIn } from "../difference.ts";
import { SetNames } from "../../folds/steps.ts";
import type { Reading } from "../../reading.ts";
import { MEMBERS, memberSets } from "../../schema/set-names.ts";
import { openSets } from "../../sets/set-store.ts";
import { differenceWithout } from "./difference.ts";
import { inTurns } from "../../turns.ts";

/** The number of members whose role changes on each of the given contents, by direction, if a source is removed. */
export async function countsWithout(
  reading: Reading,
  without: Without,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Effect>> {
  const loaded = await contents(reading, keys);
  const roots = new Map<ContentKey, ContentKey[]>();
  for (const key of keys) {
    const content = loaded.get(key);
    const root = content && ladderOf(content, loaded).find((level) => isSetOn(level, without));
    if (root === undefined) continue;
    roots.set(root.content, [...(roots.get(root.content) ?? []), key]);
  }
  const counts = new Map(keys.map((key) => [key, NONE]));
  for (const [root, below] of roots) {
    const difference = await differenceWithout(reading, root, without);
    if (difference === undefined) continue;
    for (const [key, found] of await countsBelow(reading, root, difference, below)) counts.set(key, found);
  }
  return counts;
}

function isSetOn({ content, teams }: Content, without: Without): boolean {
  return "content" in without ? without.content === content : teams.has(without.team);
}

/** A level below the changed one: the sets of members with a permission on it, and the next higher level. */
interface Covered {
  readonly sets: readonly number[];
  readonly above: Covered | undefined;
}

/**
 * The effect on each of the given contents, which inherit from `root`. `difference` is the difference on `root`. A
 * member with a permission on a level below `root` does not change, because that permission decides first. All other
 * members have the same role as on `root`. So the effect is the difference on `root` without the members with such a
 * permission.
 */
async function countsBelow(
  reading: Reading,
  root: ContentKey,
  difference: AccessDifference,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, Effect>> {
  const names = new SetNames();
  const covered = coveredBy(await contents(reading, keys), root, keys, names);
  const sets = await openSets(reading, MEMBERS, names.names);
  const counts = new Map<ContentKey, Effect>();
  for await (const number of inTurns(await difference.chunks())) {
    const given = sets.has(number) ? await sets.read(reading, number) : [];
    await difference.at(number, ({ directions }) => {
      const left = leftOf(directions, given);
      for (const [key, level] of covered) {
        const more = left(level);
        counts.set(key, added(counts.get(key) ?? NONE, more));
      }
    });
  }
  return new Map(keys.map((key) => [key, counts.get(key) ?? NONE]));
}

const NONE: Effect = { lost: 0, lowered: 0, raised: 0, gained: 0 };

function coveredBy(
  loaded: ReadonlyMap<ContentKey, Content>,
  root: ContentKey,
  keys: readonly ContentKey[],
  names: SetNames,
): Map<ContentKey, Covered | undefined> {
  const known = new Map<ContentKey, Covered | undefined>([[root, undefined]]);
  const coverOf = ([level, ...above]: readonly Content[]): Covered | undefined => {
    if (level === undefined) return undefined;
    if (known.has(level.content)) return known.get(level.content);
    const sets = [
      ...ROLES.map((role) => names.of(memberSets.given(level.content, role))),
      ...[...level.teams.keys()].map((team) => names.of(memberSets.ofTeam(team))),
    ];
    const made = { sets, above: coverOf(above) };
    known.set(level.content, made);
    return made;
  };
  return new Map(
    keys.map((key) => {
      const content = loaded.get(key);
      return [key, content === undefined ? undefined : coverOf(ladderOf(content, loaded))];
    }),
  );
}

/**
 * Returns a function that counts the difference of a level in one chunk. A level without permissions in the chunk has
 * the difference of the level above.
 */
function leftOf(
  directions: Differing,
  given: readonly (Words | undefined)[],
): (level: Covered | undefined) => Effect {
  const known = new Map<Covered | undefined, { readonly rest: Differing; readonly counts: Effect }>([
    [undefined, { rest: directions, counts: countsIn(directions) }],
  ]);
  const of = (level: Covered | undefined): { readonly rest: Differing; readonly counts: Effect } => {
    const found = known.get(level);
    if (found !== undefined || level === undefined) return found ?? { rest: directions, counts: NONE };
    const above = of(level.above);
    const own = level.sets.flatMap((set) => given[set] ?? []);
    const left = own.length === 0 ? above : less(above.rest, own);
    known.set(level, left);
    return left;
  };
  return (level) => of(level).counts;
}

function less(from: Differing, covering: readonly Words[]): { rest: Differing; counts: Effect } {
  const without = (words: Words) => {
    const left = noSlots();
    for (const [index, word] of words.entries()) {
      let rest = word;
      for (const covered of covering) rest &= ~(covered[index] ?? 0);
      left[index] = rest;
    }
    return left;
  };
  const rest = {
    lost: without(from.lost),
    lowered: without(from.lowered),
    raised: without(from.raised),
    gained: without(from.gained),
  };
  return { rest, counts: countsIn(rest) };
}
