/**
 * The filter `since`: who and what is in a list now, and was not at the last revision before a time, or had a lower role.
 * People are found by comparing the accesses at both revisions, other rows from the records that were added or raised.
 */
import type { ContentKey } from "../../domain/content.ts";
import { ApiError } from "../../domain/error.ts";
import { type Role, rank } from "../../domain/role.ts";
import { EMPTY, type Head, type SmallHead } from "../../sets/head.ts";
import { positionAt } from "../../sets/position.ts";
import { addAll, noSlots, slotsFrom } from "../../sets/words.ts";
import type { CacheKind } from "../../store/cache.ts";
import type { Access } from "../../store/listings/access.ts";
import { AccessDifference } from "../../store/listings/difference.ts";
import { everywhere, memberAccess } from "../../store/listings/palette.ts";
import {
  accessGivenOn,
  accessOfUser,
  accessOnContent,
  accessOnLadders,
  accessOnSite,
  membersOfTeam as teamMembers,
} from "../../store/listings/subject.ts";
import { nextHits, positionOf } from "../../store/listings/walk.ts";
import type { Reading } from "../../store/reading.ts";
import { type ChangedRecord, type TwoReadings, changedRecords } from "../../store/revisions/diff/log.ts";
import { eventOf } from "../../store/revisions/diff/names.ts";
import { revisionsUpTo } from "../../store/revisions/past.ts";
import { spaceOfKey } from "../../store/schema/encoding.ts";
import { memberSets } from "../../store/schema/set-names.ts";
import { Alignment } from "../../store/memory/alignment.ts";
import { inTurns } from "../../store/turns.ts";
import { readingsOf } from "./changed.ts";

const PEOPLE: CacheKind<SmallHead> = {
  name: "newcomers",
  bytes: ({ positions }) => 100 + 4 * positions.length,
};
const THINGS: CacheKind<ReadonlySet<string>> = {
  name: "new-things",
  bytes: (keys) => 100 + 100 * keys.size,
};

/**
 * The positions of people who are in a list at the revision that is read, and were not, or had a lower role, at the last
 * revision before `since` (ISO 8601, UTC).
 */
export function newPeople(reading: Reading, since: string, audience: Audience): Promise<Head> {
  return positionsSince(reading, since, audience.name, (readings) => newOrRisenIn(readings, audience));
}

/**
 * The positions of spaces on which a member has a role at the revision that is read, and had none or a lower one at the
 * last revision before `since` (ISO 8601, UTC).
 */
export function newOf(reading: Reading, user: string, since: string): Promise<Head> {
  return positionsSince(reading, since, `member/${user}`, (readings) => newOrRisenSpaces(readings, user));
}

async function positionsSince(
  reading: Reading,
  since: string,
  name: string,
  positions: (readings: TwoReadings) => Promise<readonly number[]>,
): Promise<Head> {
  const readings = await readingsSince(reading, since);
  if (readings === undefined) return EMPTY;
  return reading.cache.once(PEOPLE, reading.at, `${name} ${readings.before.at.revision}`, async () => ({
    positions: Uint32Array.from(await positions(readings)).sort(),
  }));
}

/** Selects changed records of one kind, and gives each a key. `name` is part of the cache key, so it must be unique. */
interface KeyedRecords {
  readonly name: string;
  readonly kind: ChangedRecord["kind"];
  /** `undefined` for a record that is not selected. */
  keyOf(record: ChangedRecord): string | undefined;
}

/** The keys of records that were added since a time, or give a higher role; `undefined` without a time. */
export async function newRecords(
  reading: Reading,
  since: string | undefined,
  { name, kind, keyOf }: KeyedRecords,
): Promise<ReadonlySet<string> | undefined> {
  return newThings(reading, since, name, async ({ before, after }) => {
    const records = await changedRecords(after, before.at, after.at, [kind]);
    return records.flatMap((record) => (isAdded(record) ? (keyOf(record) ?? []) : []));
  });
}

/** Whether a record was added or is a permission with a higher role. */
function isAdded(record: ChangedRecord): boolean {
  if (record.was === undefined) return true;
  if (record.kind !== "permission") return false;
  const event = eventOf(record);
  if (event.of !== "permission" || event.was === undefined || event.becomes === undefined) return false;
  return rank(event.was) < rank(event.becomes);
}

/**
 * The result of `find` for the last revision before a time and the revision that is read; cached. `undefined` without a
 * time.
 */
export async function newThings(
  reading: Reading,
  since: string | undefined,
  name: string,
  find: (readings: TwoReadings) => Promise<Iterable<string>>,
): Promise<ReadonlySet<string> | undefined> {
  if (since === undefined) return undefined;
  const readings = await readingsSince(reading, since);
  if (readings === undefined) return new Set();
  const key = `${name} ${readings.before.at.revision}`;
  return reading.cache.once(THINGS, reading.at, key, async () => new Set(await find(readings)));
}

/**
 * The last revision before a time and the revision that is read; `undefined` if they are the same revision. Throws 400
 * if no revision from before the time is readable.
 */
async function readingsSince(reading: Reading, since: string): Promise<TwoReadings | undefined> {
  const { organization, revision } = reading.at;
  const time = new Date(Date.parse(since) - 1).toISOString();
  const [found] = await revisionsUpTo(reading, organization, { time, below: revision + 1, limit: 1 });
  if (found === undefined) {
    throw new ApiError(
      "badRequest",
      `No revision from before ${since} is kept, so nobody can tell what is new since then.`,
    );
  }
  if (found.revision === revision) return undefined;
  return readingsOf(reading, { before: { revision: found.revision }, after: {} });
}

/** A list of people. It has everybody who is in at least one set of its access. */
export interface Audience {
  /** Identifies the list within the revision. */
  readonly name: string;
  /** Returns `undefined` if the content, site or team does not exist in the revision. */
  access(reading: Reading): Promise<Access | undefined>;
  /** The access with the roles that may rise, if they are other ones. */
  readonly roles?: Access;
}

export function everyoneOn(key: ContentKey): Audience {
  return { name: key, access: (reading) => accessOnContent(reading, key) };
}

export function everyoneOnSite(site: string): Audience {
  return { name: `site/${site}`, access: (reading) => accessOnSite(reading, site) };
}

export function givenPeople(key: ContentKey): Audience {
  return { name: `given/${key}`, access: (reading) => accessGivenOn(reading, key) };
}

export function membersOfTeam(team: string): Audience {
  return { name: `team/${team}`, access: (reading) => teamMembers(reading, team) };
}

/** All members; with `role`, only members with this organization role. */
export function members(role: Role | undefined): Audience {
  return {
    name: role === undefined ? "members" : memberSets.withRole(role),
    access: async () => memberAccess(role),
    // A guest is in the list without a role, so a guest who becomes a member rises.
    roles: memberAccess(role, false),
  };
}

/**
 * The positions, at the later revision, of people who are in a list then and were not at the earlier revision, or had a
 * lower role.
 */
async function newOrRisenIn({ before, after }: TwoReadings, audience: Audience): Promise<number[]> {
  const now = await audience.access(after);
  if (now === undefined) return [];
  const then = (await audience.access(before)) ?? (await accessOnLadders(before, []));
  const found = await newOrRisenBetween({ before, after }, then, now);
  const { roles } = audience;
  if (roles === undefined) return found;
  return [...new Set([...found, ...(await newOrRisenBetween({ before, after }, roles, roles))])];
}

/** The positions, at the later revision, of what has a role then and had none or a lower one at the earlier one. */
async function newOrRisenBetween(
  { before, after }: TwoReadings,
  then: Access,
  now: Access,
): Promise<number[]> {
  const difference = new AccessDifference(
    { reading: before, access: then },
    { reading: after, access: now },
    { alignment: await Alignment.of(before, after, now.universe) },
  );
  const found: number[] = [];
  for await (const chunk of inTurns(await difference.chunks())) {
    await difference.at(chunk, ({ directions }) => {
      const gained = addAll(addAll(noSlots(), directions.gained), directions.raised);
      for (const slot of slotsFrom(gained)) found.push(positionAt(chunk, slot));
    });
  }
  return found;
}

/**
 * The positions, at the later revision, of spaces on which a member has a role at that revision and had none or a lower
 * one at the earlier one.
 */
export async function newOrRisenSpaces({ before, after }: TwoReadings, user: string): Promise<number[]> {
  const now = await accessOfUser(after, user);
  if (now === undefined) return [];
  const then = (await accessOfUser(before, user)) ?? everywhere(null);
  const positions = Uint32Array.from(await newOrRisenBetween({ before, after }, then, now)).sort();
  if (positions.length === 0) return [];
  // A space whose creation time changed has another position, but is not new.
  const had = await spacesOf(before, then);
  const has = await spacesOf(after, now.narrowed({ within: [{ name: "gained", head: { positions } }] }));
  return [...has].flatMap(([id, { position, held }]) => (held > (had.get(id)?.held ?? 0) ? position : []));
}

/** The positions of the spaces of an access, and the ranks of the roles on them, by space id. */
async function spacesOf(
  reading: Reading,
  access: Access,
): Promise<ReadonlyMap<string, { readonly position: number; readonly held: number }>> {
  const all = { count: Infinity, order: "asc", role: undefined } as const;
  const found = new Map<string, { position: number; held: number }>();
  for await (const hit of inTurns(await nextHits(reading, access, undefined, all))) {
    const held = access.ranks[hit.code] ?? 0;
    found.set(spaceOfKey(hit.chunk.keyAt(hit.ordinal)), { position: positionOf(hit), held });
  }
  return found;
}
