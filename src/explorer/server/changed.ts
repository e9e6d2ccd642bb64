/**
 * What changed between two revisions: the changed records, their effect on the roles on one content, of one member, of a
 * team, and in the whole organization; and how both are put into words.
 */
import { type ChangedRecord, compareCauses, eventOf, isEvent } from "../../domain/changed-record.ts";
import type { ContentKey } from "../../domain/content.ts";
import { DIRECTIONS, type Effect, causePhrase, verdictText } from "../../domain/difference.ts";
import type { DifferenceFilter } from "../../domain/difference-filter.ts";
import { ApiError } from "../../domain/error.ts";
import { compareIds } from "../../domain/id.ts";
import type { Names, Phrase } from "../../domain/reason.ts";
import type { Comparison } from "../../model/comparison.ts";
import { contentNames, namesIn } from "../../model/difference-names.ts";
import { MEMBERSHIP } from "../../model/lists.ts";
import { findContent, findMember, type Model } from "../../model/model.ts";
import { countedPairs, type DiffRow, rowsOfPairs, rowsOfUsers, rowsOnContent } from "../../model/pairs.ts";
import {
  type ContentDifference,
  contentDifferences,
  DifferingPeople,
  peopleApart,
  type PersonDifference,
} from "../../model/summary.ts";
import { ladderOn } from "../../model/why.ts";
import type { CacheKind } from "../../store/cache.ts";
import { statement } from "../../store/engine/engine.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import { compare } from "../../store/revisions/diff/diff.ts";
import { changedRecords, type TwoReadings } from "../../store/revisions/diff/log.ts";
import { revisionFrom } from "../../store/revisions/past.ts";
import { giveTurn, inTurns, workInTurns } from "../../store/turns.ts";
import type { States } from "./states.ts";

export interface Changed {
  readonly readings: TwoReadings;
  readonly records: readonly ChangedRecord[];
}

export async function changedBetween(readings: TwoReadings): Promise<Changed> {
  return { readings, records: await changedRecords(readings.after, readings.before.at, readings.after.at) };
}

/** The comparison of both states, with the causes that these changed records can be. */
function comparisonOf({ readings, records }: Changed, filter: DifferenceFilter = {}): Promise<Comparison> {
  return compare(readings, filter, records);
}

function isOfMember({ kind }: ChangedRecord): boolean {
  return kind === "member";
}

/** What changed for one content, member or team between two revisions. */
export interface SubjectDifference {
  /** The changed records that explain the difference. */
  readonly records: readonly ChangedRecord[];
  /** Of a content, counts people; of a member, contents; absent for a team. */
  readonly effect?: Effect;
}

type CountingEffect = { -readonly [key in keyof Effect]: number };

export function noEffect(): CountingEffect {
  return { lost: 0, lowered: 0, raised: 0, gained: 0 };
}

/** Converts counts in the order of `DIRECTIONS`. */
export function effectOf({ counts }: { readonly counts: readonly number[] }): CountingEffect {
  const effect = noEffect();
  for (const [nth, direction] of DIRECTIONS.entries()) effect[direction] = counts[nth] ?? 0;
  return effect;
}

/** Readings of both states. Throws 404 if the revision of one of them is not readable. */
export async function readingsOf(reading: Reading, { before, after }: States): Promise<TwoReadings> {
  const [earlier, later] = [before.revision ?? reading.at.revision, after.revision ?? reading.at.revision];
  const readingOf = async (number: number) => {
    const at = await revisionFrom(reading, reading.at.organization, number);
    if (at?.revision === number) return reading.of(at);
    throw new ApiError("notFound", `There is no revision ${number} that can be read.`);
  };
  return { before: await readingOf(earlier), after: await readingOf(later) };
}

const SIZE = statement<[revisions: number]>(
  () => `
    SELECT count(*) FROM organization o JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest
      WHERE o.id = $1 AND r.revision < $2`,
);

/** The number of readable revisions before the given one. */
export async function countBefore(reading: Reading, revision: number): Promise<number> {
  const [row] = await reading.read(SIZE, reading.at.organization, revision);
  return Number(row?.[0] ?? 0);
}

/** What changed for one member: their own records, and the causes of their differences; `undefined` if nothing did. */
export async function differenceOf(changed: Changed, user: string): Promise<SubjectDifference | undefined> {
  const some = changed.records.filter(
    ({ kind, member }) =>
      member === user ||
      (member === undefined && ["permission", "collection", "space", "site", "siteSpace"].includes(kind)),
  );
  if (some.length === 0) return undefined;
  const comparison = await comparisonOf({ ...changed, records: some });
  const teams = new Set([comparison.before, comparison.after].flatMap((model) => teamsOf(model, user)));
  const records = some.filter(
    ({ kind, member, team = "" }) => member === user || kind !== "permission" || teams.has(team),
  );
  if (records.length === 0) return undefined;
  const own = records.filter(({ member }) => member === user);
  return differenceIn(own, noEffect(), rowsOfMember(comparison, user, undefined));
}

function teamsOf(model: Model, user: string): string[] {
  const member = findMember(model, user);
  if (member === undefined) return [];
  const { at, entries } = model.members.teams;
  return Array.from(
    entries.subarray(at[member], at[member + 1]),
    (entry) => model.teams.ids[entry >>> MEMBERSHIP] ?? "",
  );
}

/** Adds rows to an effect, and their causes to the changed records that explain it; `undefined` if there are none. */
async function differenceIn(
  records: readonly ChangedRecord[],
  effect: CountingEffect,
  rows: AsyncIterable<readonly DiffRow[]>,
): Promise<SubjectDifference | undefined> {
  const found = new Set(records);
  for await (const some of rows) {
    for (const { direction, causes } of some) {
      effect[direction]++;
      for (const cause of causes) found.add(cause);
    }
  }
  return found.size === 0 ? undefined : { records: [...found].sort(compareCauses), effect };
}

/** The contents on which a member's role differs, by kind and id, beginning after the content key `after`. */
export async function* rowsOf(
  changed: Changed,
  user: string,
  after: string | undefined,
  filter: DifferenceFilter,
): AsyncGenerator<readonly DiffRow[]> {
  yield* rowsOfMember(await comparisonOf(changed, filter), user, after);
}

async function* rowsOfMember(
  comparison: Comparison,
  user: string,
  behind: string | undefined,
): AsyncGenerator<readonly DiffRow[]> {
  for await (const some of inTurns(rowsOfUsers(comparison, [user], { behind }))) yield some?.rows ?? [];
}

/** The changed records of a team, its permissions and its members; `undefined` if there are none. */
export function differenceOfTeam({ records }: Changed, team: string): SubjectDifference | undefined {
  const own = records.filter((record) => record.team === team);
  return own.length === 0 ? undefined : { records: own };
}

/**
 * What changed for one content: the records of the content and of those above, of teams and of permissions, and the
 * members because of whom a role on the content differs; `undefined` if nothing did.
 */
export async function differenceOn(
  changed: Changed,
  key: ContentKey,
): Promise<SubjectDifference | undefined> {
  const found = await concerning(changed, key);
  if (found === undefined) return undefined;
  const { comparison, records } = found;
  const others = records.filter((record) => !isOfMember(record));
  if (!isBroadIn(records)) {
    return differenceIn(others, noEffect(), inTurns(rowsOnContent(comparison, key, usersIn(records))));
  }
  const { sums } = await workInTurns(countedPairs(comparison, [key]));
  const counts = DIRECTIONS.map((_, kind) =>
    sums.reduce((all, some, at) => (at % 4 === kind ? all + some : all), 0),
  );
  const apart = inTurns(rowsOnContent(comparison, key, usersIn(records.filter(isOfMember))));
  const causes = await differenceIn(others, noEffect(), apart);
  return causes && { records: causes.records, effect: effectOf({ counts }) };
}

/** The comparison as far as it concerns a content; `undefined` if nothing that changed can have changed roles there. */
async function concerning(
  changed: Changed,
  key: ContentKey,
): Promise<{ readonly comparison: Comparison; readonly records: readonly ChangedRecord[] } | undefined> {
  const some = changed.records.filter(
    ({ kind, content, site }) =>
      kind === "member" || kind === "teamMember" || content !== undefined || site !== undefined,
  );
  if (some.length === 0) return undefined;
  const comparison = await comparisonOf({ ...changed, records: some });
  const records = recordsOn(comparison, some, key);
  return records.length === 0 ? undefined : { comparison, records };
}

/**
 * The changed records that can change roles on a content: those of members, of the content and the ancestors from which
 * it inherits, of the sites that a space asks, and of teams with a permission on any of these.
 */
function recordsOn(
  { before, after }: Comparison,
  records: readonly ChangedRecord[],
  key: ContentKey,
): ChangedRecord[] {
  const contents = new Set<ContentKey>();
  const sites = new Set<string>();
  const teams = new Set<string>();
  for (const model of [before, after]) {
    const found = findContent(model, key);
    for (const level of found === undefined ? [] : ladderOn(model, found)) {
      contents.add(level.content);
      for (const { site } of level.sites ?? []) sites.add(site);
      for (const place of [level, ...(level.sites ?? [])])
        for (const team of place.teams.keys()) teams.add(team);
    }
  }
  return records.filter((record) => {
    const { kind, content, site, team } = record;
    if (kind === "member") return true;
    if (kind === "teamMember") return team !== undefined && teams.has(team);
    if (content !== undefined) return contents.has(content);
    return site !== undefined && sites.has(site) && isEvent(record);
  });
}

/** Whether records without a member changed: they may affect any user. */
function isBroadIn(records: readonly ChangedRecord[]): boolean {
  return records.some(({ member }) => member === undefined);
}

function usersIn(records: readonly ChangedRecord[]): string[] {
  return [...new Set(records.flatMap(({ member }) => member ?? []))];
}

/**
 * Everybody whose role on a content differs, by user id, beginning after the user id `after`. With `team`, only people
 * whom changed records of this team affect, and who count in {@link contentsBetween}.
 */
export async function* rowsOn(
  changed: Changed,
  key: ContentKey,
  after: string | undefined,
  { team, ...filter }: DifferenceFilter & { readonly team?: string | undefined },
): AsyncGenerator<readonly DiffRow[]> {
  const found = await concerning(changed, key);
  if (found === undefined) return;
  const { records } = found;
  const some: DifferenceFilter =
    team === undefined ? filter : { ...filter, causedBy: (record) => record.team === team, counted: true };
  const comparison: Comparison = { ...found.comparison, filter: some };
  if (!isBroadIn(records) && team === undefined) {
    const users = usersIn(records).filter((id) => after === undefined || compareIds(id, after) > 0);
    yield* inTurns(rowsOnContent(comparison, key, users));
    return;
  }
  const counted = await workInTurns(countedPairs(comparison, [key]));
  for await (const rows of inTurns(rowsOfPairs(counted, after))) yield rows?.rows ?? [];
}

const PEOPLE: CacheKind<readonly PersonDifference[]> = {
  name: "changed-people",
  bytes: (people) => 100 + 400 * people.length,
};
/** A content on which roles differ, with up to {@link MOST_WORDED} of the causes; `more` counts the others. */
export interface ChangedContent extends Pick<ContentDifference, "content" | "counts"> {
  readonly causes: readonly ChangedRecord[];
  readonly more: number;
}

/** In bytes. The cache counts a longer list as this size and so keeps it, because the list takes long to compute. */
const MOST_BYTES = 16 << 20;
const CONTENTS: CacheKind<readonly ChangedContent[]> = {
  name: "changed-contents",
  bytes: (contents) => Math.min(MOST_BYTES, 100 + 250 * contents.length),
};

/** The people who joined, left or have another organization role, and who pass a filter. */
export function peopleBetween(
  changed: Changed,
  filter: DifferenceFilter,
): Promise<readonly PersonDifference[]> {
  const { before, after } = changed.readings;
  return after.cache.once(PEOPLE, after.at, `${before.at.revision} ${keyOf(filter)}`, async () => {
    const people: PersonDifference[] = [];
    for await (const person of inTurns(peopleApart(await comparisonOf(changed, filter))))
      if (person !== undefined) people.push(person);
    return people;
  });
}

/**
 * The contents on which roles differ, as the summary of `rolebook diff` has them. With `team`, only contents on which
 * changed records of this team affect anybody.
 */
export function contentsBetween(
  changed: Changed,
  team: string | undefined,
  filter: DifferenceFilter,
): Promise<readonly ChangedContent[]> {
  const { before, after } = changed.readings;
  return after.cache.once(
    CONTENTS,
    after.at,
    `${before.at.revision} ${keyOf(filter)} ${team ?? ""}`,
    async () => {
      // Without this filter, everybody who differs on such a content would count, whatever the cause.
      const causedBy = team === undefined ? undefined : (record: ChangedRecord) => record.team === team;
      const comparison = await comparisonOf(changed, { ...filter, causedBy });
      return (await workInTurns(contentDifferences(comparison))).map(({ content, counts, causes }) => ({
        content,
        counts,
        causes: causes.slice(0, MOST_WORDED),
        more: Math.max(0, causes.length - MOST_WORDED),
      }));
    },
  );
}

function keyOf({ role, least, directions, guests }: DifferenceFilter): string {
  return JSON.stringify([role, least, directions && [...directions].sort(), guests]);
}

/**
 * The number of people per direction; a person counts once per direction, on however many contents. Stops after
 * `milliseconds`; `cut` says whether people are missing.
 */
export async function countPeople(
  changed: Changed,
  milliseconds: number,
): Promise<{ readonly effect: Effect; readonly cut: boolean }> {
  const until = performance.now() + milliseconds;
  const people = new DifferingPeople();
  for (const _ of people.work(await comparisonOf(changed))) {
    if (performance.now() > until) return { effect: effectOf(people), cut: true };
    await giveTurn();
  }
  return { effect: effectOf(people), cut: false };
}

/** The largest number of records in words. */
const MOST_WORDED = 10;

/**
 * The first {@link MOST_WORDED} of the given changed records in words; `more` counts the others. With `inRevision`, a
 * phrase ends with the revision of the change.
 */
export async function wordedRecords(
  readings: TwoReadings,
  records: readonly ChangedRecord[],
  inRevision = false,
): Promise<{ what: readonly Phrase[]; more: number }> {
  const worded = records.filter(isWorded);
  const shown = worded.slice(0, MOST_WORDED);
  const names = shown.some(isEvent) ? await namesOf(readings) : NO_NAMES;
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
  readings: TwoReadings,
  rows: readonly DiffRow[],
): Promise<(DiffRow & { sentence: Phrase })[]> {
  const names = await namesOf(readings);
  return rows.map((row) => ({
    ...row,
    sentence: [
      `${verdictText(row.before?.role, row.after?.role)}, because `,
      ...row.causes.flatMap((cause, nth) => [
        ...(nth === 0 ? [] : [", and "]),
        ...phraseOf(cause, names, true),
      ]),
    ],
  }));
}

async function namesOf({ before, after }: TwoReadings): Promise<Names> {
  return namesIn(await modelOf(before), await modelOf(after));
}

/** Finds the titles and paths of contents (`model/difference-names.ts`). */
export async function contentNamesOf({
  before,
  after,
}: TwoReadings): Promise<ReturnType<typeof contentNames>> {
  return contentNames(await modelOf(before), await modelOf(after));
}

/** No sentence has a name. */
const NO_NAMES: Names = { user: (id) => id, team: (id) => id, site: (id) => id, content: (key) => key };

function phraseOf(record: ChangedRecord, names: Names, inRevision: boolean): Phrase {
  if (!isEvent(record)) return [`${noun(record)} was changed`];
  const phrase = causePhrase(eventOf(record), names, record, false);
  return inRevision ? phrase : phrase.slice(0, -1);
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
