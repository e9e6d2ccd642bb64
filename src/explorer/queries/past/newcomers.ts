import { ApiError } from "../../../domain/error.ts";
import { EMPTY, type Head } from "../../../sets/head.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import type { Reading } from "../../../store/reading.ts";
import { type ChangedRecord, changedRecords, type TwoReadings } from "../../../store/revisions/diff/log.ts";
import { revisionsUpTo } from "../../../store/revisions/past.ts";
import type { Audience } from "./audience.ts";
import { changedBetween } from "./changed.ts";
import { gainedIn } from "./gained.ts";
import { gainedSpaces } from "./gained-spaces.ts";
import { sidesOf } from "./sides.ts";

type Positions = Extract<Head, { positions: unknown }>;

const PEOPLE: CacheKind<Positions> = {
  name: "newcomers",
  bytes: ({ positions }) => 100 + 4 * positions.length,
};
const THINGS: CacheKind<ReadonlySet<string>> = {
  name: "new-things",
  bytes: (keys) => 100 + 100 * keys.size,
};

/**
 * The positions of people who are in a list at the revision that is read, and were not at the last revision before
 * `since` (ISO 8601, UTC).
 */
export function newPeople(reading: Reading, since: string, audience: Audience): Promise<Head> {
  return positionsSince(reading, since, audience.name, async (sides) =>
    gainedIn(sides, audience, await audience.records(await changedBetween(sides))),
  );
}

/**
 * The positions of spaces on which a member has a role at the revision that is read, and had none at the last revision
 * before `since` (ISO 8601, UTC).
 */
export function newOf(reading: Reading, user: string, since: string): Promise<Head> {
  return positionsSince(reading, since, `member/${user}`, (sides) => gainedSpaces(sides, user));
}

async function positionsSince(
  reading: Reading,
  since: string,
  name: string,
  positions: (sides: TwoReadings) => Promise<readonly number[]>,
): Promise<Head> {
  const sides = await sidesSince(reading, since);
  if (sides === undefined) return EMPTY;
  return reading.cache.once(PEOPLE, reading.at, `${name} ${sides.before.at.revision}`, async () => ({
    positions: Uint32Array.from(await positions(sides)).sort(),
  }));
}

/** Selects changed records of one kind, and gives each a key. `name` is part of the cache key, so it must be unique. */
export interface KeyedRecords {
  readonly name: string;
  readonly kind: ChangedRecord["kind"];
  /** `undefined` for a record that is not selected. */
  keyOf(record: ChangedRecord): string | undefined;
}

/** The keys of records that were added since a time; `undefined` without a time. */
export async function newRecords(
  reading: Reading,
  since: string | undefined,
  { name, kind, keyOf }: KeyedRecords,
): Promise<ReadonlySet<string> | undefined> {
  return newThings(reading, since, name, async ({ before, after }) => {
    const records = await changedRecords(after, before.at, after.at, [kind]);
    return records.flatMap((record) => (record.was === undefined ? (keyOf(record) ?? []) : []));
  });
}

/**
 * The result of `find` for the last revision before a time and the revision that is read; cached. `undefined` without a
 * time.
 */
export async function newThings(
  reading: Reading,
  since: string | undefined,
  name: string,
  find: (sides: TwoReadings) => Promise<Iterable<string>>,
): Promise<ReadonlySet<string> | undefined> {
  if (since === undefined) return undefined;
  const sides = await sidesSince(reading, since);
  if (sides === undefined) return new Set();
  const key = `${name} ${sides.before.at.revision}`;
  return reading.cache.once(THINGS, reading.at, key, async () => new Set(await find(sides)));
}

/**
 * The last revision before a time and the revision that is read; `undefined` if they are the same revision. Throws 400
 * if no revision from before the time is readable.
 */
async function sidesSince(reading: Reading, since: string): Promise<TwoReadings | undefined> {
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
  return sidesOf(reading, { earlier: found.revision, later: revision });
}
