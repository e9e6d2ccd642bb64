/**
 * `rolebook diff`: whose effective role differs between two revisions. The differences are found in `model/summary.ts`
 * and `model/pairs.ts`; this file gives them names and words, then columns, then prints them. With `--records`, it prints a change file.
 */
import { type ChangedRecord, eventOf } from "../../domain/changed-record.ts";
import { contentKey, idOf, kindOf } from "../../domain/content.ts";
import type { SpeltWhen } from "../../domain/date.ts";
import { DIRECTIONS, type Effect, causePhrase, rolesText, verdictText } from "../../domain/difference.ts";
import type { DifferenceFilter } from "../../domain/difference-filter.ts";
import { UsageError } from "../../domain/error.ts";
import { type ContentRef, type Names, plain } from "../../domain/reason.ts";
import { type Role, type RoleCounts, ROLES, heldIn } from "../../domain/role.ts";
import { type ReportScope, whereOf, whoOf } from "../../domain/scope.ts";
import { oneLine } from "../../domain/text.ts";
import type { Comparison } from "../../model/comparison.ts";
import { contentNames, namesIn } from "../../model/difference-names.ts";
import { findMember } from "../../model/model.ts";
import { countedPairs, type DiffRow, type Held, rowsOfPairs, rowsOfUsers } from "../../model/pairs.ts";
import {
  type ContentDifference,
  contentDifferences,
  peopleApart,
  type PersonDifference,
} from "../../model/summary.ts";
import { MOST_CAUSES } from "../../model/summary-causes.ts";
import { BOM, type RowFormat, csvLines } from "../../operations/csv.ts";
import { changeLines, withEnd } from "../../snapshot/export.ts";
import { absent, contentsNamed } from "../../store/report.ts";
import { type TwoRevisions, readTwoConsistently } from "../../store/revisions/consistent-read.ts";
import { compare } from "../../store/revisions/diff/diff.ts";
import { changedRecords } from "../../store/revisions/diff/log.ts";
import type { Reading } from "../../store/reading.ts";
import type { Store } from "../../store/store.ts";
import { inTurns, workInTurns } from "../../store/turns.ts";
import { chooseOrganization, chooseRevision, withExistingStore } from "../database.ts";
import { scopeNamed } from "../names.ts";
import type { CommandOptions } from "../command-table.ts";
import { bothGiven, notAccepted, oneOf, readWhen } from "../options.ts";
import { FORMATS, type Format, RowsOutput } from "../output.ts";
import { StatusLine, bar, print, say } from "../terminal.ts";
import { scopeOf } from "./report.ts";

/** The most causes in a row of a table. The number of others follows them. */
const CAUSES_IN_TABLE = 3;

const SUMMARY = [
  ["kind", "id", "title", "path", "change", "before", "after", "contents"],
  DIRECTIONS.toReversed(),
  "causes",
].flat();

export const PEOPLE: RowFormat<WordedPerson> = {
  table: ["person", "name", "change", "before", "after", "because"],
  cells: ({ user, before, after, contents, had, has, cause }) => [
    user.id,
    user.displayName,
    membershipText(before, after),
    rolesText(before, had, contents),
    rolesText(after, has, contents),
    cause.text,
  ],
  csv: SUMMARY,
  record: ({ user, before, after, contents, had, has, cause }) =>
    [
      ["user", user.id, user.displayName, "", membershipText(before, after)],
      [rolesText(before, had, contents), rolesText(after, has, contents), String(contents)],
      DIRECTIONS.map(() => ""),
      cause.text,
    ].flat(),
  object: ({ user, before, after, contents, had, has, cause }) => ({
    user,
    change: membershipText(before, after),
    ...(before === undefined ? {} : { before, had: strongestFirst(had) }),
    ...(after === undefined ? {} : { after, has: strongestFirst(has) }),
    contents,
    causes: [cause],
  }),
};

/** The roles with a count. */
function strongestFirst(counts: RoleCounts): Partial<RoleCounts> {
  return Object.fromEntries(heldIn(counts).map((role) => [role, counts[role]]));
}

export const CONTENTS: RowFormat<WordedContent> = {
  table: ["content", "title", ...DIRECTIONS.toReversed(), "because"],
  cells: (row) => [
    contentKey(row.content.kind, row.content.id),
    row.content.title,
    ...figures(row).toReversed(),
    fewCauses(row),
  ],
  csv: SUMMARY,
  record: (row) =>
    [
      [row.content.kind, row.content.id, row.content.title, row.path.join(" / "), "roles", "", "", ""],
      figures(row).toReversed().map(String),
      allCauses(row.causes) + (row.more ? "; perhaps more" : ""),
    ].flat(),
  object: ({ content, path, effect, causes, more }) => ({
    content,
    path,
    ...effect,
    causes,
    ...(more ? { more } : {}),
  }),
};

export const PAIRS: RowFormat<WordedPair> = {
  table: ["content", "title", "user", "name", "before", "after", "sentence"],
  cells: ({ content, user, before, after, sentence }) => [
    contentKey(content.kind, content.id),
    content.title,
    user.id,
    user.displayName,
    heldText(before),
    heldText(after),
    sentence,
  ],
  csv: [
    ["kind", "content", "title", "path", "user", "name", "email", "guest", "change"],
    ["before", "before_reason", "after", "after_reason", "causes"],
  ].flat(),
  record: ({ content, path, user, direction, before, after, sentence }) =>
    [
      [content.kind, content.id, content.title, path.join(" / ")],
      [user.id, user.displayName, user.email ?? "", user.guest === true ? "yes" : "no", direction],
      [before?.role ?? "", before?.reason ?? "", after?.role ?? "", after?.reason ?? ""],
      sentence,
    ].flat(),
  object: ({ content, path, user, direction, before, after, causes, sentence }) => ({
    content,
    path,
    user,
    change: direction,
    before: before ?? null,
    after: after ?? null,
    causes,
    sentence,
  }),
};

function heldText(held: Held | undefined): string {
  return held === undefined ? "none" : `${held.role} (${held.reason})`;
}

function allCauses(causes: readonly WordedCause[]): string {
  return causes.map(({ text }) => text).join("; ");
}

function fewCauses({ causes, more }: WordedContent): string {
  const rest = causes.length - CAUSES_IN_TABLE;
  const text = allCauses(causes.slice(0, CAUSES_IN_TABLE));
  return rest > 0 ? `${text}; and ${rest}${more ? " or more" : ""} others` : text;
}

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

export function wordedPeople(
  { before, after, isUndone }: Comparison,
  people: readonly PersonDifference[],
): WordedPerson[] {
  const names = namesIn(before, after);
  return people.map(({ record, ...person }) => ({ ...person, cause: wordedCause(record, names, isUndone) }));
}

export function wordedContents(
  { before, after, isUndone }: Comparison,
  contents: readonly ContentDifference[],
): WordedContent[] {
  // Many contents share one list of causes.
  const lists = new Set(contents.map(({ causes }) => causes));
  const worded = wordedCauses(new Set([...lists].flat()), namesIn(before, after), isUndone);
  const causesOf = new Map(
    [...lists].map((causes) => [causes, causes.flatMap((each) => worded.get(each) ?? [])]),
  );
  const nameOf = contentNames(before, after);
  return contents.map(({ content, counts, causes }) => {
    const { title = content, path = [] } = nameOf(content) ?? {};
    const [lost = 0, lowered = 0, raised = 0, gained = 0] = counts;
    return {
      content: { kind: kindOf(content), id: idOf(content), title },
      path,
      effect: { lost, lowered, raised, gained },
      causes: causesOf.get(causes) ?? [],
      more: causes.length >= MOST_CAUSES,
    };
  });
}

export function wordedPairs({ before, after, isUndone }: Comparison, rows: readonly DiffRow[]): WordedPair[] {
  const records = new Set(rows.flatMap(({ causes }) => causes));
  const worded = wordedCauses(records, namesIn(before, after), isUndone);
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

/** In the order of {@link DIRECTIONS}. */
export function figures({ effect }: WordedContent): number[] {
  return DIRECTIONS.map((direction) => effect[direction]);
}

interface DiffQuestion {
  readonly whens: { readonly from: SpeltWhen; readonly to: SpeltWhen | undefined };
  readonly scope: ReportScope;
  readonly filter: DifferenceFilter;
  readonly isOfPairs: boolean;
  readonly format: Format;
  readonly head: boolean;
}

/** `rolebook diff`: whose effective role differs between two revisions, where, and why. */
export async function diffCommand(options: CommandOptions<"diff">): Promise<void> {
  const question = questionOf(options);
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(store, options.organization);
    if (options.records === true) return printRecords(store, organization, question, options.base === true);
    const { from, to } = question.whens;
    const readings = [
      store.reading(await chooseRevision(store, organization, to)),
      store.reading(await chooseRevision(store, organization, from)),
    ];
    await printDiff(store, organization, { ...question, scope: await scopeNamed(readings, question.scope) });
  });
}

function questionOf(options: CommandOptions<"diff">): DiffQuestion {
  if (options.base === true && options.records !== true) {
    throw new UsageError("--base is given without --records; accepted: both, for a change file with a base.");
  }
  const scope = scopeOf(options);
  const { spaces, collections, sites, users } = scope;
  if (options.role !== undefined && options.least !== undefined) throw bothGiven("--role", "--least");
  const wanted = DIRECTIONS.filter((direction) => options[direction] === true);
  return {
    whens: {
      from: readWhen("--from", options.from),
      to: options.to === undefined ? undefined : readWhen("--to", options.to),
    },
    scope,
    filter: {
      role: scope.role,
      least: oneOf("--least", options.least, ROLES),
      directions: wanted.length === 0 ? undefined : new Set(wanted),
      guests: scope.guests,
    },
    isOfPairs:
      options.pairs === true || [spaces, collections, sites, users].some((each) => each !== undefined),
    format: formatOf(options),
    head: options.head ?? true,
  };
}

function formatOf({ format, records }: CommandOptions<"diff">): Format {
  const wanted = format ?? (records === true ? "ndjson" : "table");
  const found = (records === true ? (["ndjson"] as const) : FORMATS).find((each) => each === wanted);
  if (found !== undefined) return found;
  throw notAccepted("--format", wanted, records === true ? "ndjson with --records" : FORMATS.join(", "));
}

async function printDiff(store: Store, organization: string, question: DiffQuestion): Promise<void> {
  using output = new RowsOutput(question.format);
  using line = new StatusLine();
  const at = await readTwoConsistently(store, organization, question.whens, async (revisions, reader) => {
    const [before, after] = [store.reading(revisions.from, reader), store.reading(revisions.to, reader)];
    const comparison = await compare({ before, after }, question.filter);
    if (question.isOfPairs) await addPairs(output, comparison, [after, before], question.scope, line);
    else await addSummary(output, comparison, line);
    return revisions;
  });
  line.end();
  const { from, to } = at;
  if (output.rows === 0 && question.format === "table") say("Nobody’s effective role differs.");
  say(
    `${output.rows.toLocaleString("en")} ${output.rows === 1 ? "row" : "rows"}: ${oneLine(to.title)} from revision ${from.revision} (${from.importedAt}) to ${to.revision} (${to.importedAt}).`,
  );
  await output.print((rows, sha256, columns) =>
    question.head ? BOM + headOf(at, question, rows, sha256, columns) : csvLines([columns]),
  );
}

function progressOf(line: StatusLine, what: string): (part: number) => void {
  return (part) => {
    line.show(() => `${what} ${bar(part)}`);
  };
}

/** How many people are put into words together. */
const PEOPLE_AT_ONCE = 500;

async function addSummary(output: RowsOutput, comparison: Comparison, line: StatusLine): Promise<void> {
  const all = comparison.changes.people.size;
  const progress = progressOf(line, "People");
  let block: PersonDifference[] = [];
  let done = 0;
  for await (const person of inTurns(peopleApart(comparison))) {
    if (person !== undefined) block.push(person);
    progress(++done / all);
    if (block.length < PEOPLE_AT_ONCE && done < all) continue;
    output.add(PEOPLE, wordedPeople(comparison, block));
    block = [];
  }
  const found = await workInTurns(
    contentDifferences(comparison, { progress: progressOf(line, "Comparing") }),
  );
  output.add(CONTENTS, wordedContents(comparison, found));
}

async function addPairs(
  output: RowsOutput,
  comparison: Comparison,
  readings: [Reading, Reading],
  scope: ReportScope,
  line: StatusLine,
): Promise<void> {
  const { users } = scope;
  const contents = await contentsNamed(readings, scope);
  for (const user of users ?? []) {
    const known = [comparison.after, comparison.before].some(
      (model) => findMember(model, user) !== undefined,
    );
    if (!known) throw absent(readings[0], "member", user);
  }
  let found = rowsOfUsers(comparison, users ?? [], { among: contents });
  if (users === undefined) {
    const counted = await workInTurns(countedPairs(comparison, contents, progressOf(line, "Counting")));
    line.end();
    if (contents === undefined) say(`The pairs are ${counted.total.toLocaleString("en")} rows.`);
    found = rowsOfPairs(counted);
  }
  const progress = progressOf(line, "Deciding");
  for await (const some of inTurns(found)) {
    if (some === undefined) continue;
    const { rows, done, of } = some;
    output.add(PAIRS, wordedPairs(comparison, rows));
    progress(of === 0 ? 1 : done / of);
  }
}

function headOf(
  { from, to }: TwoRevisions,
  { scope, filter, isOfPairs }: DiffQuestion,
  rows: number,
  sha256: string,
  columns: readonly string[],
): string {
  return csvLines([
    ["Rolebook diff"],
    ["organization", to.organization, oneLine(to.title)],
    ["from", String(from.revision), from.importedAt],
    ["to", String(to.revision), to.importedAt],
    [
      "covers",
      whereOf(scope),
      whoOf(scope),
      rolesOf(filter),
      filter.directions === undefined ? "every change" : `${[...filter.directions].join(", ")} only`,
      isOfPairs ? "user by user" : "summed up",
    ],
    ["rows", String(rows)],
    ["sha256", sha256],
    columns,
  ]);
}

function rolesOf({ role, least }: DifferenceFilter): string {
  if (role !== undefined) return `from or to role ${role} only`;
  return least === undefined ? "every role" : `from or to role ${least} or stronger`;
}

/** Prints the changed records as a change file (docs/changes.md). */
async function printRecords(
  store: Store,
  organization: string,
  { whens }: DiffQuestion,
  hasBase: boolean,
): Promise<void> {
  const { from, to, records } = await readTwoConsistently(store, organization, whens, async (at, reader) => {
    const [earlier, later] = at.from.revision < at.to.revision ? [at.from, at.to] : [at.to, at.from];
    return { ...at, records: await changedRecords(reader, earlier, later) };
  });
  const lines = changeLines(
    organization,
    records,
    from.revision > to.revision,
    hasBase ? from.revision : undefined,
  );
  for await (const line of withEnd(lines)) await print(line);
}
