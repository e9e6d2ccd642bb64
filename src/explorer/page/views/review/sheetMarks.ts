/**
 * What the marks of a draft say about a sheet, which may be of another revision than the one that they were made on: a mark
 * holds while role and reason are the same.
 */
import { type Draft, isUnsaved, newestOf } from "./drafts.ts";
import type { Holder, KeptMark } from "./marks.ts";
import { type Mark, type Sheet, type SheetRow, isEmpty } from "./sheet.ts";

/** What a draft says about a row of a sheet. */
export interface RowMarks {
  /** The mark on this role with this reason. */
  readonly mark?: KeptMark | undefined;
  /** The mark on another role or reason of the row, if that is to be decided again. */
  readonly before?: KeptMark | undefined;
}

export interface SheetMarks {
  on(row: SheetRow): RowMarks;
  /** The numbers of rows that are decided, and of rows with a mark that no file says. */
  readonly decided: number;
  readonly unsaved: number;
  /** The rows to be decided again. */
  readonly again: readonly SheetRow[];
  /** The marks on rows that the sheet no longer has. */
  readonly gone: readonly KeptMark[];
  /** The number of rows with marks on a newer revision that do not hold on this one. */
  readonly newer: number;
}

export function marksOnSheet(draft: Draft, sheet: Sheet): SheetMarks {
  const on = (row: SheetRow) => rowMarksOf(draft.on(row.key), row, sheet);
  const again: SheetRow[] = [];
  let [decided, unsaved, newer] = [0, 0, 0];
  for (const row of sheet.rows) {
    const marks = draft.on(row.key);
    const { mark, before } = rowMarksOf(marks, row, sheet);
    if (marks.some((each) => each !== mark && !isKnown(each, sheet))) newer++;
    if (before?.decision) again.push(row);
    if (mark?.decision) decided++;
    if (mark && isUnsaved(mark)) unsaved++;
  }
  const gone: KeptMark[] = [];
  for (const [row, marks] of draft.rows) {
    if (sheet.keys.has(row)) continue;
    const mark = newestOf(marks.filter((each) => isKnown(each, sheet)));
    if (mark && !isEmpty(mark)) gone.push(mark);
    if (!marks.every((each) => isKnown(each, sheet))) newer++;
  }
  return { on, decided, unsaved, again, gone, newer };
}

function rowMarksOf(marks: readonly KeptMark[], row: SheetRow, sheet: Sheet): RowMarks {
  if (marks.length === 0) return {};
  const mark =
    marks.find(({ role, reason }) => role === row.role && reason === row.reason) ??
    // A mark that an earlier version of the page kept.
    marks.find(({ reason }) => reason === sheet.sha256);
  const before = newestOf(marks.filter((each) => each !== mark && isKnown(each, sheet)));
  if (!mark || mark.revision < (before?.revision ?? 0)) return { before };
  return mark.decision === "" ? { mark, before } : { mark };
}

/** What the row shows, and what a file says about it: the comment stays where the decision has to be made again. */
export function shownMark({ mark, before }: RowMarks): Mark {
  return { decision: mark?.decision ?? "", comment: (mark ?? before)?.comment ?? "" };
}

/** Whether a mark was made on the revision of a sheet or an earlier one. */
export function isKnown({ revision }: KeptMark, sheet: Sheet): boolean {
  return revision <= sheet.revision;
}

/** The marks of an opened sheet. */
export function marksOfFile(sheet: Sheet, holder: Holder): KeptMark[] {
  return sheet.rows
    .filter(({ mark }) => !isEmpty(mark))
    .map((row) => ({ ...markedNow(row, sheet, holder), ...row.mark, saved: row.mark }));
}

/** All of a mark but its decision and comment: on what it is made, by whom, and when. */
export function markedNow(row: SheetRow, { covers, revision }: Sheet, { organization, reviewer }: Holder) {
  const { key, role, reason } = row;
  return { organization, reviewer, covers, row: key, role, reason, revision, at: Date.now() };
}
