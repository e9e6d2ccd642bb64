/** Words the differences between two revisions as phrases with links. */
import { causePhrase, verdictText } from "../../../domain/difference.ts";
import type { Names, Phrase } from "../../../domain/reason.ts";
import type { DiffRow } from "../../../store/revisions/diff/pairs.ts";
import type { ChangedRecord, TwoReadings } from "../../../store/revisions/diff/log.ts";
import { eventOf, namesOf } from "../../../store/revisions/diff/names.ts";
import { accessOf } from "./changed.ts";

/** The largest number of records in words. */
export const MOST_WORDED = 10;

/**
 * The first {@link MOST_WORDED} of the given changed records in words; `more` counts the others. With `inRevision`, a
 * phrase ends with the revision of the change.
 */
export async function wordedRecords(
  sides: TwoReadings,
  records: readonly ChangedRecord[],
  inRevision = false,
): Promise<{ what: readonly Phrase[]; more: number }> {
  const worded = records.filter(isWorded);
  const shown = worded.slice(0, MOST_WORDED);
  const names = await namesOf(sides, shown.filter(isEvent));
  return {
    what: shown.map((record) => phraseOf(record, names, inRevision)),
    more: worded.length - shown.length,
  };
}

/**
 * Adds a sentence to each row, such as "gained edit, because team Docs was given edit on collection Handbook in
 * revision 41".
 */
export async function wordedRows(
  sides: TwoReadings,
  rows: readonly DiffRow[],
): Promise<(DiffRow & { sentence: Phrase })[]> {
  const names = await namesOf(sides, new Set(rows.flatMap(({ causes }) => causes)));
  return rows.map((row) => ({
    ...row,
    sentence: [
      `${verdictText(row.before?.role, row.after?.role)}, because `,
      ...row.causes.flatMap((cause, place) => [
        ...(place === 0 ? [] : [", and "]),
        ...phraseOf(cause, names, true),
      ]),
    ],
  }));
}

function phraseOf(record: ChangedRecord, names: Names, inRevision: boolean): Phrase {
  if (!isEvent(record)) return [`${noun(record)} was changed`];
  const phrase = causePhrase(eventOf(record), names, record, false);
  return inRevision ? phrase : phrase.slice(0, -1);
}

/** Whether a record can change access: a changed title or e-mail address cannot. */
function isEvent(record: ChangedRecord): boolean {
  const { people, contents, permissions, memberships } = accessOf([record]);
  return people.size + contents.size + permissions.length + memberships.length > 0;
}

/**
 * Whether a record is put into words. When a person joins or leaves, both a member record and a user record change; the
 * user record adds nothing.
 */
function isWorded({ kind, was, becomes }: ChangedRecord): boolean {
  return kind !== "user" || (was !== undefined && becomes !== undefined);
}

function noun({ kind }: ChangedRecord): string {
  if (kind === "user") return "the name, e-mail address or picture";
  return kind === "teamMember" ? "the part in a team" : `the title or another setting of the ${kind}`;
}
