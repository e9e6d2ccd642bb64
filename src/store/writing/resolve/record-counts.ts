import { type Change, ofEachKind } from "../generation/difference.ts";
import { type RecordKind, RECORD_KINDS } from "../../schema/record-change.ts";

/** The number of records of one kind: entries of the file, and dependents removed with a record. */
export interface RecordCounts extends Change {
  unchanged: number;
}

export type CountsByKind = Record<RecordKind, RecordCounts>;

export function noCounts(): CountsByKind {
  return ofEachKind(() => ({ added: 0, changed: 0, removed: 0, unchanged: 0 }));
}

/** Counts a record by its state before and after; `undefined` means that the record does not exist. */
export function count<Stored>(
  counts: RecordCounts,
  before: Stored | undefined,
  after: Stored | undefined,
  same: boolean,
): void {
  if (before === undefined) counts.added++;
  else if (after === undefined) counts.removed++;
  else if (same) counts.unchanged++;
  else counts.changed++;
}

/** The counts that an import reports: all except unchanged records. */
export function changesIn(counts: CountsByKind): Record<RecordKind, Change> {
  return ofEachKind((kind) => {
    const { added, changed, removed } = counts[kind];
    return { added, changed, removed };
  });
}

export function isChanged(counts: CountsByKind): boolean {
  return RECORD_KINDS.some((kind) => counts[kind].added + counts[kind].changed + counts[kind].removed > 0);
}
