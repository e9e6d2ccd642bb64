/** A sheet that the reviewer opens from a file: whether it is one of this page, and its marks. */
import type { Holder, KeptMark } from "./marks.ts";
import { type Sheet, type SheetRow, isEmpty, isIntact, reviewOf } from "./sheet.ts";

/** The review of an opened sheet, and how it was checked. Throws an Error that says why the sheet is not opened. */
export async function check(sheet: Sheet, organization: string, shown: number) {
  if (sheet.organization !== organization)
    throw new Error(`The sheet is of organization ${sheet.organization}.`);
  const intact = await isIntact(sheet);
  if (intact === false)
    throw new Error(
      "Its rows are not those that the server wrote: their SHA-256 differs from the one in its head.",
    );
  const review = reviewOf(sheet.covers);
  if (review === undefined)
    throw new Error(
      `It covers ${sheet.covers}; the page reviews one space, collection, site or member with every role.`,
    );
  if (sheet.revision > shown)
    throw new Error(`It is of revision ${sheet.revision}, and the page shows revision ${shown}.`);
  const checked = intact
    ? "its rows are those that the server wrote."
    : "this browser cannot check its SHA-256.";
  return { review, checked };
}

/** The marks of an opened sheet. */
export function marksOf(sheet: Sheet, holder: Holder): KeptMark[] {
  return sheet.rows
    .filter(({ mark }) => !isEmpty(mark))
    .map((row) => ({ ...seenOn(row, sheet, holder), ...row.mark, saved: row.mark }));
}

/** A mark, but for the mark: on what it was made, by whom, and when. */
export function seenOn(row: SheetRow, { covers, revision }: Sheet, { organization, reviewer }: Holder) {
  return {
    organization,
    reviewer,
    covers,
    row: row.key,
    role: row.role,
    reason: row.reason,
    revision,
    at: Date.now(),
  };
}
