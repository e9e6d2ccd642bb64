/** Two states of one organization under common numbers: who and what is in either of them. */
import type { Model } from "./model.ts";
import { ABSENT } from "./numbering.ts";
import type { Texts } from "./texts.ts";

/** Common numbers with the number in each state, or {@link ABSENT}. */
export interface Common {
  readonly count: number;
  readonly was: Int32Array;
  readonly now: Int32Array;
}

/** As {@link Common}, with the way back: the common number of each number of a state. */
interface BothWays extends Common {
  readonly ofWas: Uint32Array;
  readonly ofNow: Uint32Array;
}

/**
 * Contents under common numbers: those of the later state keep theirs, so that what is inside a content still follows
 * it; removed ones come behind them, depth first.
 */
export interface CommonContents extends BothWays {
  readonly parents: Int32Array;
  readonly ends: Uint32Array;
}

export interface Aligned {
  readonly people: Common;
  readonly teams: BothWays;
  readonly contents: CommonContents;
}

const PEOPLE_A_TURN = 20_000;

export function* align(before: Model, after: Model): Generator<void, Aligned> {
  const people = yield* alignPeople(before, after);
  const teams = before.teams === after.teams ? same(after.teams.count) : alignTeams(before, after);
  yield;
  return {
    people,
    teams: bothWays(teams, before.teams.count, after.teams.count),
    contents: yield* alignContents(before, after),
  };
}

function bothWays<T extends Common>(common: T, before: number, after: number): T & BothWays {
  return { ...common, ofWas: inverse(common.was, before), ofNow: inverse(common.now, after) };
}

function inverse(numbers: Int32Array, count: number): Uint32Array {
  const common = new Uint32Array(count);
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? ABSENT;
    if (number !== ABSENT) common[number] = at;
  }
  return common;
}

function same(count: number): Common {
  const numbers = new Int32Array(count);
  for (let at = 0; at < count; at++) numbers[at] = at;
  return { count, was: numbers, now: numbers };
}

/** All people of either state. */
export function* alignPeople(before: Model, after: Model): Generator<void, Common> {
  const [p, q] = [before.members, after.members];
  if (p.ids === q.ids) return same(q.count);
  const was = new Int32Array(p.count + q.count);
  const now = new Int32Array(p.count + q.count);
  let count = 0;
  for (let i = 0, j = 0; i < p.count || j < q.count;) {
    const order = i === p.count ? 1 : j === q.count ? -1 : compared(p.ids, i, q.ids, j);
    was[count] = order > 0 ? ABSENT : i++;
    now[count++] = order < 0 ? ABSENT : j++;
    if (count % PEOPLE_A_TURN === 0) yield;
  }
  return { count, was: was.slice(0, count), now: now.slice(0, count) };
}

function compared(p: Texts, i: number, q: Texts, j: number): number {
  return p.bytes.compare(q.bytes, q.begins[j], q.ends[j], p.begins[i], p.ends[i]);
}

function alignTeams({ teams: p }: Model, { teams: q }: Model): Common {
  const [was, now]: number[][] = [[], []];
  for (let i = 0, j = 0; i < p.count || j < q.count;) {
    const [left, right] = [p.ids[i], q.ids[j]];
    const isBoth = left === right;
    const isLeft = right === undefined || (left !== undefined && left < right);
    was?.push(isBoth || isLeft ? i++ : ABSENT);
    now?.push(isBoth || !isLeft ? j++ : ABSENT);
  }
  return { count: was?.length ?? 0, was: Int32Array.from(was ?? []), now: Int32Array.from(now ?? []) };
}

function* alignContents({ contents: p }: Model, { contents: q }: Model): Generator<void, CommonContents> {
  if (p.parents === q.parents && p.keys === q.keys)
    return bothWays({ ...same(q.count), parents: q.parents, ends: q.ends }, p.count, q.count);
  // The number in the later state of each content of the earlier one, by a merge in the order of keys.
  const later = new Int32Array(p.count).fill(ABSENT);
  for (let i = 0, j = 0; i < p.count && j < q.count;) {
    const [x, y] = [p.byKey[i] ?? 0, q.byKey[j] ?? 0];
    const order = compared(p.keys, x, q.keys, y);
    if (order === 0) later[x] = y;
    if (order <= 0) i++;
    if (order >= 0) j++;
    if ((i + j) % PEOPLE_A_TURN === 0) yield;
  }
  const removed = Array.from(later.keys()).filter((x) => later[x] === ABSENT);
  const count = q.count + removed.length;
  const was = new Int32Array(count).fill(ABSENT);
  const now = new Int32Array(count).fill(ABSENT);
  const parents = new Int32Array(count).fill(ABSENT);
  const ends = new Uint32Array(count);
  for (const [x, y] of later.entries()) if (y !== ABSENT) was[y] = x;
  parents.set(q.parents);
  ends.set(q.ends);
  for (let y = 0; y < q.count; y++) now[y] = y;
  const place = new Map(removed.map((x, at) => [x, q.count + at]));
  for (const [x, at] of place) {
    was[at] = x;
    parents[at] = place.get(p.parents[x] ?? ABSENT) ?? ABSENT;
    ends[at] = at + 1;
  }
  for (let at = count - 1; at >= q.count; at--) {
    const parent = parents[at] ?? ABSENT;
    if (parent !== ABSENT) ends[parent] = Math.max(ends[parent] ?? 0, ends[at] ?? 0);
  }
  return bothWays({ count, was, now, parents, ends }, p.count, q.count);
}
