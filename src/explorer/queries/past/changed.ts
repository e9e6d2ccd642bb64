/** The changed records between two revisions, and their effect on roles. */
import { DIRECTIONS, type Effect } from "../../../domain/difference.ts";
import {
  AccessChanges,
  type ChangedRecord,
  changedRecords,
  type TwoReadings,
} from "../../../store/revisions/diff/log.ts";
import { Diff } from "../../../store/revisions/diff/diff.ts";
import type { DifferenceFilter } from "../../../store/revisions/diff/filter.ts";

const ACCESS = new Set<ChangedRecord["kind"]>(["member", "teamMember", "collection", "space", "permission"]);

export interface Changed {
  readonly sides: TwoReadings;
  readonly records: readonly ChangedRecord[];
}

export async function changedBetween(sides: TwoReadings): Promise<Changed> {
  return { sides, records: await changedRecords(sides.after, sides.before.at, sides.after.at) };
}

/** Keeps the records that can change an effective role. */
export function accessOf(records: readonly ChangedRecord[]): AccessChanges {
  return new AccessChanges(records.filter(({ kind }) => ACCESS.has(kind)));
}

/** The difference in effective roles that these changed records make. */
export function diffOf({ sides, records }: Changed, filter: DifferenceFilter = {}): Diff {
  return new Diff(sides, accessOf(records), filter);
}

export function isOfMember({ kind }: ChangedRecord): boolean {
  return kind === "member";
}

/** What changed for one content, member or team between two revisions. */
export interface Difference {
  /** The changed records that explain the difference. */
  readonly records: readonly ChangedRecord[];
  /** Of a content, counts people; of a member, contents; absent for a team. */
  readonly effect?: Effect;
}

type Counting = { -readonly [key in keyof Effect]: number };

export function noEffect(): Counting {
  return { lost: 0, lowered: 0, raised: 0, gained: 0 };
}

/** Converts counts in the order of `DIRECTIONS`. */
export function effectOf({ counts }: { readonly counts: readonly number[] }): Counting {
  const effect = noEffect();
  for (const [place, direction] of DIRECTIONS.entries()) effect[direction] = counts[place] ?? 0;
  return effect;
}
