/**
 * The filter `since`: who and what is in a list now, and was not at the last revision before a time, or had a lower role.
 * People are found by comparing the lists of both revisions, other rows from the records that were added or raised.
 */
import type { ChangedRecord } from "../../domain/changed-record.ts";
import { ApiError } from "../../domain/error.ts";
import type { Model } from "../../model/model.ts";
import { newOrRisen, newOrRisenSpaces } from "../../model/newcomers.ts";
import type { ListSubject } from "../../model/sheets.ts";
import type { CacheKind } from "../../store/cache.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import { type TwoReadings, changedRecords } from "../../store/revisions/diff/log.ts";
import { revisionsUpTo } from "../../store/revisions/past.ts";
import { workInTurns } from "../../store/turns.ts";
import { readingsOf } from "./changed.ts";

const THINGS: CacheKind<ReadonlySet<string>> = {
  name: "new-things",
  bytes: (keys) => 100 + 100 * keys.size,
};

/** A list of people in a model; `undefined` if the content, site or team does not exist there. */
export type Audience = (model: Model) => ListSubject | undefined;

/**
 * The members, by ascending number in `model`, that of the revision that is read, who are in a list and were not, or had a
 * lower role, at the last revision before `since` (ISO 8601, UTC).
 */
export async function newPeople(
  reading: Reading,
  since: string,
  model: Model,
  audience: Audience,
): Promise<Uint32Array> {
  const readings = await readingsSince(reading, since);
  const has = audience(model);
  if (readings === undefined || has === undefined) return new Uint32Array(0);
  const before = await modelOf(readings.before);
  return workInTurns(newOrRisen(before, model, audience(before), has));
}

/**
 * The places by creation of spaces on which a member has a role, and had none or a lower one at the last revision before
 * `since` (ISO 8601, UTC).
 */
export async function newSpaces(
  reading: Reading,
  since: string,
  model: Model,
  member: number,
): Promise<Uint32Array> {
  const readings = await readingsSince(reading, since);
  if (readings === undefined) return new Uint32Array(0);
  return workInTurns(newOrRisenSpaces(await modelOf(readings.before), model, member));
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
  const { kind, was, becomes } = record;
  return was === undefined || (kind === "permission" && Number(was) < Number(becomes));
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
