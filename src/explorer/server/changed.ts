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
import { chains, ladderOf } from "../../store/directory/contents.ts";
import { statement } from "../../store/engine/engine.ts";
import type { Reading, Revision } from "../../store/reading.ts";
import {
  AccessChanges,
  type ChangedRecord,
  type TwoReadings,
  changedRecords,
  compareCauses,
} from "../../store/revisions/diff/log.ts";
import { type ContentDifference, Diff, type PersonDifference } from "../../store/revisions/diff/diff.ts";
import type { DifferenceFilter } from "../../store/revisions/diff/filter.ts";
import { eventOf, namesOf } from "../../store/revisions/diff/names.ts";
import { type DiffRow, PairRows } from "../../store/revisions/diff/pairs.ts";
import { subjectsOf } from "../../store/directory/members.ts";
import { UserDifferences } from "../../store/revisions/diff/users.ts";
import { REVISION_COLUMNS, type RevisionRow, revisionOf } from "../../store/revisions/past.ts";
import type { States } from "./states.ts";

const ACCESS = new Set<ChangedRecord["kind"]>(["member", "teamMember", "collection", "space", "permission"]);

export interface Changed {
  readonly readings: TwoReadings;
  readonly records: readonly ChangedRecord[];
}

export async function changedBetween(readings: TwoReadings): Promise<Changed> {
  return { readings, records: await changedRecords(readings.after, readings.before.at, readings.after.at) };
}

/** Keeps the records that can change an effective role. */
function accessChangesOf(records: readonly ChangedRecord[]): AccessChanges {
  return new AccessChanges(records.filter(({ kind }) => ACCESS.has(kind)));
}

/** The difference in effective roles that these changed records make. */
function diffOf({ readings, records }: Changed, filter: DifferenceFilter = {}): Diff {
  return new Diff(readings, accessChangesOf(records), filter);
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
  for (const [place, direction] of DIRECTIONS.entries()) effect[direction] = counts[place] ?? 0;
  return effect;
}

const NAMED = statement<RevisionRow>(
  () => `
    SELECT ${REVISION_COLUMNS} FROM organization o JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest
      WHERE o.id = $1 AND (r.revision = $2 OR r.revision = $3) ORDER BY r.revision`,
);

/** Readings of both states. Throws 404 if the revision of one of them is not readable. */
export async function readingsOf(reading: Reading, { before, after }: States): Promise<TwoReadings> {
  const [earlier, later] = [before.revision ?? reading.at.revision, after.revision ?? reading.at.revision];
  const rows = await reading.read(NAMED, reading.at.organization, earlier, later);
  const readingOf = (number: number) => {
    const row = rows.find(([revision]) => revision === number);
    if (row !== undefined) return reading.of(revisionOf(row, reading.at.history));
    throw new ApiError("notFound", `There is no revision ${number} that can be read.`);
  };
  return { before: readingOf(earlier), after: readingOf(later) };
}

const UP_TO = statement<[...RevisionRow, command: string, note: string | null]>(
  () => `
    SELECT ${REVISION_COLUMNS}, r.command, r.note
      FROM organization o JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest
      WHERE o.id = $1 AND r.revision <= $2 ORDER BY r.revision DESC LIMIT $3`,
);
const SIZE = statement<[revisions: number]>(
  () => `
    SELECT count(*) FROM organization o JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest
      WHERE o.id = $1 AND r.revision < $2`,
);

export interface RevisionStep {
  readonly at: Revision;
  readonly command: string;
  readonly note: string | undefined;
}

/** The last `limit` readable revisions up to the given one, latest first. */
export async function stepsUpTo(reading: Reading, revision: number, limit: number): Promise<RevisionStep[]> {
  const rows = await reading.read(UP_TO, reading.at.organization, revision, limit);
  return rows.map(
    ([number, generation, id, title, importedAt, counts, erasures, earliest, command, note]) => ({
      at: revisionOf(
        [number, generation, id, title, importedAt, counts, erasures, earliest],
        reading.at.history,
      ),
      command,
      note: note ?? undefined,
    }),
  );
}

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
  const effect = noEffect();
  const found = new Set(records.filter(({ member }) => member === user));
  const users = new UserDifferences(changed.readings, accessChangesOf(records), {});
  for await (const both of users.of([user])) {
    const causesAt = users.causesOf(both, await users.trees());
    both.compare((index, direction) => {
      effect[direction]++;
      for (const cause of causesAt(index)) found.add(cause);
    });
  }
  if (found.size === 0) return undefined;
  return { records: [...found].sort(compareCauses), effect };
}

/** The changed records that may affect a member. */
async function recordsOf({ readings, records }: Changed, user: string): Promise<ChangedRecord[]> {
  const teams = new Set<string>();
  for (const side of [readings.before, readings.after]) {
    for (const team of (await subjectsOf(side, [user])).get(user)?.teams ?? []) teams.add(team);
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
  const changes = accessChangesOf(changed.records);
  const differing = (await new UserDifferences(readings, changes, filter).contentsOf([user])).get(user) ?? [];
  const keys = differing.filter((key) => after === undefined || compareIds(key, after) > 0).sort(compareIds);
  const pairs = new PairRows(readings, changes, filter);
  for (let from = 0; from < keys.length; from += CONTENTS_AT_ONCE) {
    yield* pairs.of(keys.slice(from, from + CONTENTS_AT_ONCE), () => ({ slots: new Map(), users: [user] }));
  }
}

/** The changed records of a team, its permissions and its members; `undefined` if there are none. */
export function differenceOfTeam({ records }: Changed, team: string): SubjectDifference | undefined {
  const own = records.filter((record) => record.team === team);
  return own.length === 0 ? undefined : { records: own };
}

/** The number of users per step, after which the work yields to the event loop. */
const USERS_AT_ONCE = 200;

/** The changes that may affect roles on a content. */
interface Concern {
  readonly changed: Changed;
  /** See {@link recordsOn}. */
  readonly records: readonly ChangedRecord[];
  /** The users whose own records changed, by id. */
  readonly users: readonly string[];
  /** Whether other records changed too. They may affect any user. */
  readonly broad: boolean;
}

/**
 * What changed for one content: the records of the content and of those above, of teams and of permissions, and the
 * members because of whom a role on the content differs; `undefined` if nothing did.
 */
export async function differenceOn(
  changed: Changed,
  key: ContentKey,
): Promise<SubjectDifference | undefined> {
  const concern = await concernOn(changed, key);
  if (concern === undefined) return undefined;
  const { effect, causes } = await effectOn(concern, key);
  const found = new Set([...concern.records.filter((record) => !isOfMember(record)), ...causes]);
  if (found.size === 0) return undefined;
  return { records: [...found].sort(compareCauses), effect };
}

async function concernOn(changed: Changed, key: ContentKey): Promise<Concern | undefined> {
  const records = await recordsOn(changed, [key]);
  if (records.length === 0) return undefined;
  const people = records.flatMap(({ member }) => member ?? []);
  const broad = records.some(({ member }) => member === undefined);
  return { changed, records, users: [...new Set(people)].sort(compareIds), broad };
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
    const loaded = await chains(side, keys);
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

/** The effect on a content, and the causes for the users who are decided one by one. */
async function effectOn(concern: Concern, key: ContentKey) {
  const { changed, records, broad } = concern;
  const diff = broad ? diffOf({ readings: changed.readings, records }) : undefined;
  const found = (await diff?.contents())?.find(({ content }) => content === key);
  const effect = found === undefined ? noEffect() : effectOf(found);
  // `diff` does not count users who joined, left or have another organization role.
  const apart = broad ? apartIn(records) : concern.users;
  const causes = new Set<ChangedRecord>();
  for await (const rows of singly(concern, key, apart)) {
    for (const { direction, causes: some } of rows) {
      effect[direction]++;
      for (const cause of some) causes.add(cause);
    }
  }
  return { effect, causes };
}

/** Users who joined, left or have another organization role. */
function apartIn(records: readonly ChangedRecord[]): string[] {
  return records.filter(isOfMember).flatMap(({ member }) => member ?? []);
}

/** The rows of the given users on one content, decided one by one. */
async function* singly(
  { changed: { readings }, records }: Concern,
  key: ContentKey,
  users: readonly string[],
  filter: DifferenceFilter = {},
): AsyncGenerator<readonly DiffRow[]> {
  if (users.length === 0) return;
  const pairs = new PairRows(readings, accessChangesOf(records), filter);
  for (let from = 0; from < users.length; from += USERS_AT_ONCE) {
    const block = users.slice(from, from + USERS_AT_ONCE);
    yield* pairs.of([key], () => ({ slots: new Map(), users: block }));
  }
}

/**
 * Everybody whose role on a content differs, by user id, beginning after the user id `after`. With `team`, only people
 * whom changed records of this team affect, without those who joined, left or have another organization role.
 */
export async function* rowsOn(
  changed: Changed,
  key: ContentKey,
  after: string | undefined,
  { team, ...filter }: DifferenceFilter & { readonly team?: string | undefined },
): AsyncGenerator<readonly DiffRow[]> {
  const concern = await concernOn(changed, key);
  if (concern === undefined) return;
  const { records, broad, users } = concern;
  const isBehind = (id: string) => after === undefined || compareIds(id, after) > 0;
  if (!broad && team === undefined) {
    yield* singly(concern, key, users.filter(isBehind), filter);
    return;
  }
  const apart = new Set(team === undefined ? [] : apartIn(records));
  const causedBy = team === undefined ? undefined : (record: ChangedRecord) => record.team === team;
  const diff = diffOf({ readings: changed.readings, records }, { ...filter, causedBy });
  for await (const { rows } of diff.pairs({ contents: [key] })) {
    yield rows.filter(({ user }) => isBehind(user.id) && !apart.has(user.id));
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
 * The contents on which the roles of people other than {@link peopleApart} differ. With `team`, only contents on which
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

function keyOf({ role, directions, guests }: DifferenceFilter): string {
  return JSON.stringify([role, directions && [...directions].sort(), guests]);
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
  const { people, contents, permissions, memberships } = accessChangesOf([record]);
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
