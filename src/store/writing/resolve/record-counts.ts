import { type Change, type CountedKind, KINDS, ofEachKind } from "../generation/difference/difference.ts";

/** What becomes of the records of a kind that a file names, and of those that go with them. */
export interface Tally extends Change {
  unchanged: number;
}

export type Tallies = Record<CountedKind, Tally>;

export function noTallies(): Tallies {
  return ofEachKind(() => ({ added: 0, changed: 0, removed: 0, unchanged: 0 }));
}

/** Counts a record; `before` and `after` are `undefined` where there is none. */
export function count<Stored>(
  tally: Tally,
  before: Stored | undefined,
  after: Stored | undefined,
  same: boolean,
): void {
  if (before === undefined) tally.added++;
  else if (after === undefined) tally.removed++;
  else if (same) tally.unchanged++;
  else tally.changed++;
}

export function isChanged(tallies: Tallies): boolean {
  return KINDS.some((kind) => tallies[kind].added + tallies[kind].changed + tallies[kind].removed > 0);
}
