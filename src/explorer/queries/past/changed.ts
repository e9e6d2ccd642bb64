/** What changed between two revisions: the records, and those of them that can change somebody's role. */
import type { Effect } from "../../../domain/explanation/effect.ts";
import { AccessChanges } from "../../../store/revisions/diff/access-changes.ts";
import type { Sides } from "../../../store/revisions/diff/forest.ts";
import { type ChangedRecord, changedRecords } from "../../../store/revisions/diff/log.ts";

/** Records that can change an effective role. */
const ACCESS = new Set<ChangedRecord["kind"]>(["member", "teamMember", "collection", "space", "permission"]);

export interface Changed {
  readonly sides: Sides;
  readonly records: readonly ChangedRecord[];
}

export async function changedBetween(sides: Sides): Promise<Changed> {
  return { sides, records: await changedRecords(sides.after, sides.before.at, sides.after.at) };
}

/** Those of some records that can change a role. */
export function accessOf(records: readonly ChangedRecord[]): AccessChanges {
  return new AccessChanges(records.filter(({ kind }) => ACCESS.has(kind)));
}

export function isOfMember({ kind }: ChangedRecord): boolean {
  return kind === "member";
}

/** What becomes of one thing between two revisions. */
export interface Difference {
  /** The changed records that it comes from. */
  readonly records: readonly ChangedRecord[];
  /** How many lose, fall, rise and gain; absent where nobody was counted. */
  readonly effect?: Effect;
}

export function noEffect(): { -readonly [key in keyof Effect]: number } {
  return { lost: 0, lowered: 0, raised: 0, gained: 0 };
}

export function isNothing({ lost, lowered, raised, gained }: Effect): boolean {
  return lost + lowered + raised + gained === 0;
}
