/**
 * Publishes an import or a change: makes its revision the current one. The rows of a new generation are written before
 * the transaction that makes them current, those of a change in this transaction. What an examination refuses, nobody
 * ever sees.
 */
import { CommandError } from "../../domain/error.ts";
import { limit } from "../../sets/limit.ts";
import { type Connection, type Engine, type Staging, statement } from "../engine/engine.ts";
import { Reading, type Revision } from "../reading.ts";
import {
  type ChangeSource,
  type Publication,
  type Published,
  becomeVisible,
  confirm,
  currentOf,
  numbered,
  point,
} from "../revisions/publication.ts";
import type { RecordChange } from "../../domain/record-change.ts";
import { FOREVER } from "../schema/as-of.ts";
import { dropTokens } from "../tokens.ts";
import { writeChange } from "./change/write-change.ts";
import { derive, fillsOf } from "./generation/derived-rows.ts";
import {
  LOGGED,
  type OrganizationChange,
  isChange,
  isKnown,
  recordsOf,
  sizeOf,
} from "./generation/difference.ts";
import { stageSets } from "./generation/sets.ts";

/** What is examined before an organization is published. */
export interface Examined {
  readonly organization: string;
  readonly after: Reading;
  /** The current state; `undefined` for a new organization. */
  readonly before: Reading | undefined;
}

/** Examines the next state of each organization. If `examine` throws, the import stops and nothing is changed. */
export interface Examination {
  readonly examine: (state: Examined) => Promise<void>;
  /** Whether this is a dry run, which stops after the examination and changes nothing. */
  readonly isRehearsal: boolean;
  /** Stores the results for an organization. Called in the transaction that publishes or confirms its revision. */
  readonly record: (connection: Connection, organization: string, revision: number) => Promise<void>;
}

/** Thrown at the end of a dry run, so that its transaction is rolled back. */
class EndOfRehearsal extends Error {}

/** Reads the next state of an organization: a written generation that has no revision yet. */
export function unpublished(
  connection: Pick<Connection, "read" | "remote">,
  organization: Pick<Revision, "organization" | "title" | "counts">,
  generation: number,
): Reading {
  const { organization: id, title, counts } = organization;
  const importedAt = new Date().toISOString();
  // All rows of a new generation hold from its first revision on, so any number does for the revision.
  const revision = FOREVER - 1;
  return new Reading(connection, {
    organization: id,
    title,
    counts,
    generation,
    revision,
    importedAt,
    history: 0,
    erasures: 0,
  });
}

/** An organization whose new generation is written but not yet current. */
interface Written {
  readonly change: OrganizationChange;
  readonly generation: number;
}

const NUMBERS = statement<[last: number]>(
  () => "UPDATE counter SET value = value + $1 WHERE name = 'generation' RETURNING value",
);
const BEGIN = statement<never>(() => "INSERT INTO generation (generation, organization) VALUES ($1, $2)");
const ASSIGN = statement<never>(() => "UPDATE staged_organization SET generation = $2 WHERE id = $1");

/**
 * An import of at most this many changed records, and at most this share of all records, is written as a change of the
 * current generation. Any other import is written as a new generation.
 */
const MOST_CHANGED = 2000;
const MOST_OF_ALL = 1 / 50;

/**
 * A change file with more records is written as a new generation. At 50,000 members, a record takes 0.3 ms in a
 * transaction that blocks other writers; a new generation takes as long as 50,000 records, but does not block other
 * writers.
 */
export const LARGEST_CHANGE = limit("change.largest", 10_000);

/**
 * At most this many changed records are always written as a change, even if they are a large share of a small
 * organization.
 */
const ALWAYS_FEW = 20;

/** Returns the maximum number of changed records of an organization that are written as a change. */
export type ChangeLimit = (organization: OrganizationChange) => number;

export const usualLimit: ChangeLimit = ({ counts }) => {
  const { members, teamMembers, permissions, spaces, collections } = counts;
  const all = members + teamMembers + permissions + spaces + collections;
  return Math.min(MOST_CHANGED, Math.max(ALWAYS_FEW, all * MOST_OF_ALL));
};

/**
 * Publishes an import: writes a new generation of each organization that changes much, then makes everything current as
 * {@link makeCurrent} does. `progress` receives the number of rows written since its last call.
 */
export async function publish(
  engine: Engine,
  staging: Staging,
  organizations: readonly OrganizationChange[],
  source: ChangeSource,
  progress: (rows: number) => void,
  limitOf = usualLimit,
  examination?: Examination,
): Promise<readonly Published[] | undefined> {
  const changes = organizations.filter(isChange);
  const few = changes.filter((each) => isKnown(each) && sizeOf(each) <= limitOf(each));
  const many = changes.filter((each) => !few.includes(each));
  const changed: ChangedOrganization[] = [];
  for (const each of few) {
    const current = await currentOf(staging, each.organization);
    if (current === undefined) throw new CommandError(`Organization ${each.organization} is gone.`);
    changed.push({
      current: { ...current.at, revision: each.current ?? 0 },
      records: await recordsOf(staging, each),
    });
  }
  const unchanged = organizations.flatMap((each) =>
    isChange(each) ? [] : [{ ...each, revision: each.current ?? 0 }],
  );
  const written = many.length === 0 ? [] : await write(staging, many, organizations.length, progress);
  if (many.some(isKnown)) await staging.fill("record_change", [LOGGED], progress);
  return makeCurrent(engine, staging, { written, changed, unchanged }, source, examination);
}

/** Writes one organization as a new generation although no record has changed, and makes the generation current. */
export async function publishAnew(
  engine: Engine,
  staging: Staging,
  organization: OrganizationChange,
  source: ChangeSource,
): Promise<readonly Published[] | undefined> {
  const written = await write(staging, [organization], 1, () => {});
  return makeCurrent(engine, staging, { written }, source);
}

/** The changed records of an organization, and the current revision, on which they are based. */
interface ChangedOrganization {
  readonly current: Revision;
  readonly records: readonly RecordChange[];
}

interface NextStates {
  readonly written?: readonly Written[];
  readonly changed?: readonly ChangedOrganization[];
  readonly unchanged?: readonly Pick<Revision, "organization" | "revision">[];
}

/**
 * One short transaction makes written generations current, writes changes as revisions, and confirms unchanged
 * organizations. If anything fails, readers see nothing of it. Returns the revisions when readers see all of them; throws
 * a NotVisibleError if they do not, although they are committed. `examination` examines each organization before readers
 * see it: a new generation before the transaction, a change inside it. `undefined` at the end of a dry run.
 */
export async function makeCurrent(
  engine: Engine,
  staging: Staging,
  { written = [], changed = [], unchanged = [] }: NextStates,
  source: ChangeSource,
  examination?: Examination,
): Promise<readonly Published[] | undefined> {
  await staging.mustHaveWritten(written.map(({ generation }) => generation));
  for (const { change, generation } of written) {
    await examination?.examine({
      organization: change.organization,
      before: await currentOf(staging, change.organization),
      after: unpublished(staging, change, generation),
    });
  }
  for (const { organization } of unchanged) {
    const current = examination && (await currentOf(staging, organization));
    if (current !== undefined) await examination?.examine({ organization, before: current, after: current });
  }
  if (examination?.isRehearsal === true && changed.length === 0) return undefined;
  const now = Date.now();
  const publishing = staging.transaction(async (connection) => {
    const published: Published[] = [];
    for (const each of written) {
      const { organization } = each.change;
      const { revision } = await pointAt(connection, each, source, now);
      await examination?.record(connection, organization, revision);
      published.push({ organization, generation: each.generation, revision });
    }
    for (const { current, records } of changed) {
      const { organization } = current;
      const before = examination && (await currentOf(connection, organization));
      const { revision } = await writeChange(connection, current, records, source, now);
      const after = examination && (await currentOf(connection, organization));
      if (after !== undefined) await examination?.examine({ organization, before, after });
      await examination?.record(connection, organization, revision);
      published.push({ ...current, revision });
    }
    if (examination?.isRehearsal === true) throw new EndOfRehearsal();
    for (const { organization, revision } of unchanged) {
      await confirm(connection, organization, source, new Date(now).toISOString());
      await examination?.record(connection, organization, revision);
    }
    if (published.length > 0) await engine.announce(connection, "revisions");
    return published;
  });
  try {
    const published = await publishing;
    await becomeVisible(engine, published);
    return published;
  } catch (error) {
    if (error instanceof EndOfRehearsal) return undefined;
    throw error;
  }
}

/** Writes new generations, which readers do not see yet. `organizations` is the number of staged ones. */
async function write(
  staging: Staging,
  changes: readonly OrganizationChange[],
  organizations: number,
  progress: (rows: number) => void,
): Promise<Written[]> {
  const written = await begin(staging, changes);
  for (const { change, generation } of written) await staging.write(ASSIGN, change.organization, generation);
  await derive(staging, organizations);
  await stageSets(staging);
  for (const { table, parts } of fillsOf(staging.dialect, organizations)) {
    await staging.fill(table, parts, progress);
  }
  return written;
}

async function begin(staging: Staging, changes: readonly OrganizationChange[]): Promise<Written[]> {
  return staging.transaction(async (connection) => {
    const [row] = await connection.read(NUMBERS, changes.length);
    if (row === undefined) throw new CommandError("The database has lost its counter of generations.");
    const written = changes.map((change, index) => ({ change, generation: row[0] - index }));
    for (const { change, generation } of written) {
      await connection.write(BEGIN, generation, change.organization);
    }
    return written;
  });
}

const IS_WRITTEN = statement<[one: number]>(() => "SELECT 1 FROM generation WHERE generation = $1");

async function pointAt(
  connection: Connection,
  { change, generation }: Written,
  source: ChangeSource,
  now: number,
): Promise<Publication> {
  const { organization, title, counts, current: base } = change;
  if ((await connection.read(IS_WRITTEN, generation)).length === 0) {
    throw new CommandError(
      `What was written of ${organization} is gone; nothing was changed, run the import again.`,
    );
  }
  const publication = await numbered(connection, { organization, base }, now);
  await point(connection, { organization, base, generation, title, counts, source }, publication);
  await dropTokens(connection, organization, generation);
  return publication;
}
