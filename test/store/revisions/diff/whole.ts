/** What a comparison of two revisions tells, without turns for others. */
import type { ContentKey } from "../../../../src/domain/content.ts";
import type { Comparison } from "../../../../src/model/comparison.ts";
import { countedPairs, type DiffRow, rowsOfPairs, rowsOfUsers } from "../../../../src/model/pairs.ts";
import { peopleApart, type PersonDifference } from "../../../../src/model/summary.ts";

export function whole<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

export function peopleIn(comparison: Comparison): PersonDifference[] {
  return [...peopleApart(comparison)].filter((person) => person !== undefined);
}

export interface Wanted {
  readonly contents?: readonly ContentKey[];
  readonly users?: readonly string[];
}

export function rowsOf(comparison: Comparison, { contents, users }: Wanted = {}): DiffRow[] {
  const rows =
    users === undefined
      ? rowsOfPairs(whole(countedPairs(comparison, contents)))
      : rowsOfUsers(comparison, users, { among: contents });
  return [...rows].flatMap((some) => some?.rows ?? []);
}
