/**
 * What changed between two revisions: the changed records, their effect on the roles on one content, of one member, of a
 * team, and in the whole organization; and how both are put into words.
 */
import type { ContentKey } from "../../domain/content.ts";
import { DIRECTIONS, type Effect, causePhrase, verdictText } from "../../domain/difference.ts";
import { ApiError } from "../../domain/error.ts";
import { compareIds } from "../../domain/id.ts";
import type { Names, Phrase } from "../../domain/reason.ts";
import type { CacheKind } from "../../store/cache.ts";
import { withAncestors, ladderOf } from "../../store/directory/contents.ts";
import { statement } from "../../store/engine/engine.ts";
import type { Reading } from "../../store/reading.ts";
import {
  AccessChanges,
  type ChangedRecord,
  type TwoReadings,
  changedRecords,
  compareCauses,
  isEvent,
} from "../../store/revisions/diff/log.ts";
import { type ContentDifference, Diff, type PersonDifference } from "../../store/revisions/diff/diff.ts";
import type { DifferenceFilter } from "../../store/revisions/diff/filter.ts";
import { eventOf, namesOf } from "../../store/revisions/diff/names.ts";
import { type Candidates, type DiffRow, PairRows } from "../../store/revisions/diff/pairs.ts";
import { wholeMembers } from "../../store/directory/members.ts";
import { UserDifferences } from "../../store/revisions/diff/users.ts";
import { revisionFrom } from "../../store/revisions/past.ts";
import type { States } from "./states.ts";

export interface Changed {
  readonly readings: TwoReadings;
  readonly records: readonly ChangedRecord[];
}

export async function changedBetween(readings: TwoReadings): Promise<Changed> {
  return { readings, records: await changedRecords(readings.after, readings.before.at, readings.after.at) };
}

/** The difference in effective roles that these changed records make. */
function diffOf({ readings, records }: Changed, filter: DifferenceFilter = {}): Diff {
  return new Diff(readings, new AccessChanges(records), filter);
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

/** The number of contents per step, after which the work yields to the event loop. */
const CONTENTS_AT_ONCE = 100;

/** What changed for one member: their own records, and the causes of their differences; `undefined` if nothing did. */
export async function differenceOf(changed: Changed, user: string): Promise<SubjectDifference | undefined> {
  const records = await recordsOf(changed, user);
  if (records.length === 0) return undefined;
  const own = records.filter(({ member }) => member === user);
  return differenceIn(own, noEffect(), rowsOf({ readings: changed.readings, records }, user, undefined, {}));
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

/** The changed records that may affect a member. */
async function recordsOf({ readings, records }: Changed, user: string): Promise<ChangedRecord[]> {
  const teams = new Set<string>();
  for (const side of [readings.before, readings.after]) {
    for (const team of (await wholeMembers(side, [user])).get(user)?.teams ?? []) teams.add(team);
  }
  return records.filter(({ kind, member, team }) => {
    if (member !== undefined) return member === user;
    if (kind === "permission") return team !== undefined && teams.has(team);
    return kind === "collection" || kind === "space";
  });
}

/** The contents on which a member's role differs, by kind and id, beginning after the content key `after`. */
export async function* rowsOf(
  changed: Changed,
  user: string,
  after: string | undefined,
  filter: DifferenceFilter,
): AsyncGenerator<readonly DiffRow[]> {
  const { readings } = changed;
  const changes = new AccessChanges(changed.records);
  const differing = (await new UserDifferences(readings, changes, filter).contentsOf([user])).get(user) ?? [];
  const keys = differing.filter((key) => after === undefined || compareIds(key, after) > 0).sort(compareIds);
  const pairs = new PairRows(readings, changes, filter);
  for (let from = 0; from < keys.length; from += CONTENTS_AT_ONCE) {
    yield* pairs.of(keys.slice(from, from + CONTENTS_AT_ONCE), () => alone([user]));
  }
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
  const records = await recordsOn(changed, [key]);
  if (records.length === 0) return undefined;
  const { readings } = changed;
  // Then all users are compared, by sets, except those who joined, left or have another organization role.
  const isBroad = isBroadIn(records);
  const others = isBroad ? await diffOf({ readings, records }).contentsOfOthers() : [];
  const effect = effectOf(others.find(({ content }) => content === key) ?? { counts: [] });
  const users = usersIn(isBroad ? records.filter(isOfMember) : records);
  const rows = new PairRows(readings, new AccessChanges(records), {});
  return differenceIn(
    records.filter((record) => !isOfMember(record)),
    effect,
    rows.of([key], () => alone(users)),
  );
}

/**
 * The changed records that can change roles on the given contents: those of members, of the contents and the ancestors
 * from which they inherit, and of teams with a permission on any of these.
 */
export async function recordsOn(
  { readings: { before, after }, records }: Changed,
  keys: readonly ContentKey[],
): Promise<ChangedRecord[]> {
  const contents = new Set<ContentKey>();
  const teams = new Set<string>();
  for (const side of [before, after]) {
    const loaded = await withAncestors(side, keys);
    const starts = keys.flatMap((key) => loaded.get(key) ?? []);
    for (const { content, teams: given } of starts.flatMap((start) => ladderOf(start, loaded))) {
      contents.add(content);
      for (const team of given.keys()) teams.add(team);
    }
  }
  return records.filter(({ kind, content, team }) => {
    if (kind === "teamMember") return team !== undefined && teams.has(team);
    return kind === "member" || (content !== undefined && contents.has(content));
  });
}

/** Whether records without a member changed: they may affect any user. */
function isBroadIn(records: readonly ChangedRecord[]): boolean {
  return records.some(({ member }) => member === undefined);
}

function usersIn(records: readonly ChangedRecord[]): string[] {
  return [...new Set(records.flatMap(({ member }) => member ?? []))];
}

/** Users who are compared one by one. */
function alone(users: readonly string[]): Candidates {
  return { slots: new Map(), users };
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
  const records = await recordsOn(changed, [key]);
  const isBehind = (id: string) => after === undefined || compareIds(id, after) > 0;
  const isBroad = isBroadIn(records);
  if (!isBroad && team === undefined) {
    const users = usersIn(records).filter(isBehind);
    yield* new PairRows(changed.readings, new AccessChanges(records), filter).of([key], () => alone(users));
    return;
  }
  const some =
    team === undefined
      ? filter
      : { ...filter, causedBy: (record: ChangedRecord) => record.team === team, counted: true };
  const diff = diffOf({ readings: changed.readings, records }, some);
  for await (const { rows } of diff.pairs({ contents: [key] })) {
    yield rows.filter(({ user }) => isBehind(user.id));
  }
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
export function peopleApart(
  changed: Changed,
  filter: DifferenceFilter,
): Promise<readonly PersonDifference[]> {
  const { before, after } = changed.readings;
  return after.cache.once(PEOPLE, after.at, `${before.at.revision} ${keyOf(filter)}`, async () => {
    const people: PersonDifference[] = [];
    for await (const some of diffOf(changed, filter).people()) people.push(...some);
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
      return (await diffOf(changed, { ...filter, causedBy }).contents()).map(
        ({ content, counts, causes }) => ({
          content,
          counts,
          causes: causes.all.slice(0, MOST_WORDED),
          more: Math.max(0, causes.size - MOST_WORDED),
        }),
      );
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
export async function peopleBetween(
  changed: Changed,
  milliseconds: number,
): Promise<{ readonly effect: Effect; readonly cut: boolean }> {
  const { counts, isWhole } = await diffOf(changed).users(performance.now() + milliseconds);
  return { effect: effectOf({ counts }), cut: !isWhole };
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
  const names = await namesOf(readings, shown.filter(isEvent));
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
  const names = await namesOf(readings, new Set(rows.flatMap(({ causes }) => causes)));
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
