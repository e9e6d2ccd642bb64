/**
 * What the marks of a draft say about a sheet, which may be of another revision than the one that they were made on: a mark
 * holds while role and reason are the same.
 */
import type { Decider } from "../../../../domain/decided.ts";
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

/** What a draft says about the rows of a sheet, and how many there are of each kind; kept up row by row. */
export class SheetMarks {
  /** The numbers of rows by decision, and of rows with a mark that no file says. */
  readonly decisions = new Map<string, number>();
  unsaved = 0;
  /** The number of rows with marks on a newer revision that do not hold on this one. */
  newer = 0;
  /** The keys of the rows to be decided again. */
  readonly again = new Set<string>();
  /** The marks on rows that the sheet no longer has, by the key of the row. */
  readonly gone = new Map<string, KeptMark>();
  readonly #draft: Draft;
  readonly #sheet: Sheet;
  /** The row of each key; absent for marks on rows that the sheet no longer has. */
  readonly #rows: ReadonlyMap<string, SheetRow>;
  readonly #counted = new Map<string, Counted>();

  constructor(draft: Draft, sheet: Sheet) {
    this.#draft = draft;
    this.#sheet = sheet;
    this.#rows = new Map(sheet.rows.map((row) => [row.key, row]));
    draft.taken();
    for (const [row] of draft.rows) this.#count(row);
  }

  /** Looks again at the rows that changed. */
  update(): this {
    for (const row of this.#draft.taken()) this.#count(row);
    return this;
  }

  on(row: SheetRow): RowMarks {
    return this.#counted.get(row.key)?.marks ?? NO_MARKS;
  }

  /** The names of the organization tokens with which the decisions and comments of the file were made. */
  get tokens(): readonly string[] {
    const made = this.#sheet.rows.flatMap((row) => {
      const marks = this.on(row);
      return isEmpty(shownMark(marks)) ? [] : ((marks.mark ?? marks.before)?.tokens ?? []);
    });
    return union(made).toSorted();
  }

  get decided(): number {
    return [...this.decisions.values()].reduce((sum, count) => sum + count, 0);
  }

  #count(key: string): void {
    const before = this.#counted.get(key);
    const now = this.#lookAt(key);
    for (const [each, by] of [
      [before, -1],
      [now, 1],
    ] as const) {
      if (each === undefined) continue;
      const { decision } = each.marks.mark ?? {};
      if (decision) this.decisions.set(decision, (this.decisions.get(decision) ?? 0) + by);
      if (each.isUnsaved) this.unsaved += by;
      if (each.isNewer) this.newer += by;
    }
    if (now.marks.before?.decision) this.again.add(key);
    else this.again.delete(key);
    if (now.gone) this.gone.set(key, now.gone);
    else this.gone.delete(key);
    this.#counted.set(key, now);
  }

  #lookAt(key: string): Counted {
    const all = this.#draft.on(key);
    const row = this.#rows.get(key);
    if (row === undefined) {
      const gone = newestOf(all.filter((each) => isKnown(each, this.#sheet)));
      return {
        marks: NO_MARKS,
        gone: gone && !isEmpty(gone) ? gone : undefined,
        isUnsaved: false,
        isNewer: !all.every((each) => isKnown(each, this.#sheet)),
      };
    }
    const marks = rowMarksOf(all, row, this.#sheet);
    return {
      marks,
      isUnsaved: marks.mark !== undefined && isUnsaved(marks.mark),
      isNewer: all.some((each) => each !== marks.mark && !isKnown(each, this.#sheet)),
    };
  }
}

interface Counted {
  readonly marks: RowMarks;
  readonly gone?: KeptMark | undefined;
  readonly isUnsaved: boolean;
  readonly isNewer: boolean;
}

const NO_MARKS: RowMarks = {};

function rowMarksOf(marks: readonly KeptMark[], row: SheetRow, sheet: Sheet): RowMarks {
  if (marks.length === 0) return NO_MARKS;
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
    .map((row) => ({
      ...markedNow(row, sheet, holder),
      ...row.mark,
      tokens: union(tokensOf(sheet.decider), holder.tokens),
      saved: row.mark,
    }));
}

/** All of a mark but its decision and comment: on what it is made, by whom, and when. */
export function markedNow(
  row: SheetRow,
  { draft, revision }: Sheet,
  { organization, reviewer, tokens }: Holder,
) {
  const { key, role, reason } = row;
  return { organization, reviewer, covers: draft, row: key, role, reason, revision, tokens, at: Date.now() };
}

/** All of some names, once each. */
export function union(...names: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(names.flat())];
}

function tokensOf(decider: Decider | undefined): readonly string[] {
  return decider !== undefined && "tokens" in decider ? decider.tokens : [];
}
