/** Adds names to differences, and words their causes. */
import { DIRECTIONS, type Effect, causePhrase, verdictText } from "../../domain/difference.ts";
import { type ContentRef, type Names, plain } from "../../domain/reason.ts";
import { idOf, kindOf } from "../../domain/content.ts";
import type { Role } from "../../domain/role.ts";
import type { ContentDifference, Diff, PersonDifference } from "../../store/revisions/diff/diff.ts";
import type { ChangedRecord } from "../../store/revisions/diff/log/log.ts";
import { eventOf, namesOf } from "../../store/revisions/diff/log/names.ts";
import type { DiffRow } from "../../store/revisions/diff/pairs.ts";
import { MOST_CAUSES } from "../../store/revisions/diff/log/causes.ts";

export interface WordedCause {
  readonly revision: number;
  readonly text: string;
}

export interface WordedPerson extends Omit<PersonDifference, "record"> {
  readonly cause: WordedCause;
}

export interface WordedContent {
  readonly content: ContentRef;
  readonly path: readonly string[];
  readonly effect: Effect;
  readonly causes: readonly WordedCause[];
  /** Whether there may be more causes than `causes`. */
  readonly more: boolean;
}

export interface WordedPair extends Omit<DiffRow, "causes"> {
  readonly causes: readonly WordedCause[];
  /** Such as "gained edit, because team Docs was given edit on collection Handbook in revision 41". */
  readonly sentence: string;
}

export async function wordedPeople(
  { sides, undone }: Diff,
  people: readonly PersonDifference[],
): Promise<WordedPerson[]> {
  const names = await namesOf(
    sides,
    people.map(({ record }) => record),
  );
  return people.map(({ record, ...person }) => ({ ...person, cause: wordedCause(record, names, undone) }));
}

export async function wordedContents(
  diff: Diff,
  contents: readonly ContentDifference[],
): Promise<WordedContent[]> {
  // Many contents share one set of causes.
  const sets = new Set(contents.map(({ causes }) => causes));
  const records = new Set([...sets].flatMap((causes) => causes.all));
  const worded = wordedCauses(records, await namesOf(diff.sides, records), diff.undone);
  const causesOf = new Map(
    [...sets].map((causes) => [causes, causes.all.flatMap((each) => worded.get(each) ?? [])]),
  );
  const names = await diff.names(contents.map(({ content }) => content));
  return contents.map(({ content, counts, causes }) => {
    const { title = content, path = [] } = names.get(content) ?? {};
    const [lost = 0, lowered = 0, raised = 0, gained = 0] = counts;
    return {
      content: { kind: kindOf(content), id: idOf(content), title },
      path,
      effect: { lost, lowered, raised, gained },
      causes: causesOf.get(causes) ?? [],
      more: causes.size >= MOST_CAUSES,
    };
  });
}

export async function wordedPairs({ sides, undone }: Diff, rows: readonly DiffRow[]): Promise<WordedPair[]> {
  const records = new Set(rows.flatMap(({ causes }) => causes));
  const worded = wordedCauses(records, await namesOf(sides, records), undone);
  return rows.map((row) => {
    const causes = row.causes.flatMap((cause) => worded.get(cause) ?? []);
    const verdict = verdictText(row.before?.role, row.after?.role);
    return {
      ...row,
      causes,
      sentence: `${verdict}, because ${causes.map(({ text }) => text).join(", and ")}`,
    };
  });
}

/** Words each record once: many differences may have the same cause. */
function wordedCauses(
  records: ReadonlySet<ChangedRecord>,
  names: Names,
  undone: boolean,
): ReadonlyMap<ChangedRecord, WordedCause> {
  return new Map([...records].map((record) => [record, wordedCause(record, names, undone)]));
}

function wordedCause(record: ChangedRecord, names: Names, undone: boolean): WordedCause {
  const { revision } = record;
  return { revision, text: plain(causePhrase(eventOf(record), names, record, undone)) };
}

export function membershipText(before: Role | null | undefined, after: Role | null | undefined): string {
  if (before === undefined) return "came";
  return after === undefined ? "left" : "organization role";
}

/** Empty for a user who is not a member. */
export function organizationRole(role: Role | null | undefined): string {
  return role === undefined ? "" : (role ?? "guest");
}

/** In the order of {@link DIRECTIONS}. */
export function figures({ effect }: WordedContent): number[] {
  return DIRECTIONS.map((direction) => effect[direction]);
}
