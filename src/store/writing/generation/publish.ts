/**
 * Publishes an import or a change. Rows are written before the transaction that makes them current; what an examination
 * refuses in between, nobody ever sees.
 */
import { CommandError } from "../../../domain/error.ts";
import { type Connection, type Engine, type Staging, statement } from "../../engine/engine.ts";
import { Reading, type Revision } from "../../reading.ts";
import {
  type ChangeSet,
  type ChangeSource,
  type Publication,
  type Published,
  becomeVisible,
  confirm,
  currentOf,
  numbered,
  point,
} from "../../revisions/publication.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { dropTokens } from "../../tokens.ts";
import { writeChange } from "../change/write-change.ts";
import { derive, fillsOf } from "./derived-rows.ts";
import { LOGGED, type OrganizationChange, changeSetOf, isChange, isKnown, sizeOf } from "./difference.ts";
import { stageSets } from "./sets.ts";

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
export class EndOfRehearsal extends Error {}

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

/** Runs `work`, and returns whether it was a dry run. */
export async function rehearsing(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (error instanceof EndOfRehearsal) return true;
    throw error;
  }
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
 * Publishes an import. First writes a new generation of each organization that changes much. Then one short transaction
 * makes these generations current, writes the changes of all other changed organizations, and confirms the unchanged
 * ones. If anything fails, readers see nothing of the import. Returns when readers see all of it; throws a
 * NotVisibleError if they do not, although it is committed.
 *
 * `progress` receives the number of rows written since its last call. `examination` examines each organization before
 * readers see it: a new generation before the transaction, a change inside it.
 */
export async function publish(
  engine: Engine,
  staging: Staging,
  organizations: readonly OrganizationChange[],
  source: ChangeSource,
  progress: (rows: number) => void,
  limit = usualLimit,
  examination?: Examination,
): Promise<void> {
  const changes = organizations.filter(isChange);
  const unchanged = organizations.filter((each) => !isChange(each));
  const few = changes.filter((each) => isKnown(each) && sizeOf(each) <= limit(each));
  const many = changes.filter((each) => !few.includes(each));
  const sets: ChangeSet[] = [];
  for (const each of few) sets.push(await changeSetOf(staging, each, each.current ?? 0, source));
  const written = many.length === 0 ? [] : await write(staging, many, progress);
  if (many.some(isKnown)) await staging.fill("record_change", [LOGGED], progress);
  await staging.mustHaveWritten(written.map(({ generation }) => generation));
  if (examination !== undefined) await examineWritten(staging, written, unchanged, examination);
  const published = await staging.transaction(async (connection) => {
    const now = Date.now();
    const published: Published[] = [];
    for (const each of written) {
      const { organization } = each.change;
      const { revision } = await pointAt(connection, each, source, now);
      await examination?.record(connection, organization, revision);
      published.push({ organization, generation: each.generation, revision });
    }
    for (const each of sets) {
      const current = await currentOf(connection, each.organization);
      if (current === undefined) throw new CommandError(`Organization ${each.organization} is gone.`);
      const { revision } = await writeExamined(connection, current.at, each, examination, now);
      published.push({ ...current.at, revision });
    }
    if (examination?.isRehearsal === true) throw new EndOfRehearsal();
    for (const { organization, current = 0 } of unchanged) {
      await confirm(connection, organization, source, new Date(now).toISOString());
      await examination?.record(connection, organization, current);
    }
    if (changes.length > 0) await engine.announce(connection, "revisions");
    return published;
  });
  await becomeVisible(engine, published);
}

/** Writes one organization as a new generation although no record has changed, and makes the generation current. */
export async function publishAnew(
  engine: Engine,
  staging: Staging,
  organization: OrganizationChange,
  source: ChangeSource,
): Promise<Publication> {
  const [written] = await write(staging, [organization], () => {});
  if (written === undefined) throw new Error("Nothing was written.");
  await staging.mustHaveWritten([written.generation]);
  const publication = await staging.transaction(async (connection) => {
    const publication = await pointAt(connection, written, source, Date.now());
    await engine.announce(connection, "revisions");
    return publication;
  });
  await becomeVisible(engine, [{ ...organization, ...written, ...publication }]);
  return publication;
}

/** Examines the new generations and the unchanged organizations. */
async function examineWritten(
  staging: Staging,
  written: readonly Written[],
  unchanged: readonly OrganizationChange[],
  examination: Examination,
): Promise<void> {
  for (const { change, generation } of written) {
    const { organization } = change;
    const before = await currentOf(staging, organization);
    await examination.examine({ organization, before, after: unpublished(staging, change, generation) });
  }
  for (const { organization } of unchanged) await examineUnchanged(staging, organization, examination);
}

async function examineUnchanged(
  staging: Staging,
  organization: string,
  { examine }: Examination,
): Promise<void> {
  const current = await currentOf(staging, organization);
  if (current !== undefined) await examine({ organization, before: current, after: current });
}

/** Examines an unchanged organization, and unless this is a dry run, stores that an input confirmed its revision. */
export async function confirmUnchanged(
  staging: Staging,
  { organization, revision }: Pick<Revision, "organization" | "revision">,
  source: ChangeSource,
  examination: Examination | undefined,
  dryRun = examination?.isRehearsal,
): Promise<void> {
  if (examination !== undefined) await examineUnchanged(staging, organization, examination);
  if (dryRun === true) return;
  const at = new Date().toISOString();
  await staging.transaction(async (connection) => {
    await confirm(connection, organization, source, at);
    await examination?.record(connection, organization, revision);
  });
}

/** Does what {@link writeChange} does, and examines the change in the same transaction. */
async function writeExamined(
  connection: Connection,
  current: Parameters<typeof writeChange>[1],
  set: ChangeSet,
  examination: Examination | undefined,
  now = Date.now(),
): Promise<Publication> {
  if (examination === undefined) return writeChange(connection, current, set, now);
  const { organization } = set;
  const before = await currentOf(connection, organization);
  const publication = await writeChange(connection, current, set, now);
  const after = await currentOf(connection, organization);
  if (after !== undefined) await examination.examine({ organization, before, after });
  await examination.record(connection, organization, publication.revision);
  return publication;
}

/**
 * Writes a change of one organization as a new current revision, and returns its number when readers see the revision.
 * Throws a NotVisibleError if they do not, although the change is committed.
 */
export async function publishChange(
  engine: Engine,
  staging: Staging,
  current: Parameters<typeof writeChange>[1],
  set: ChangeSet,
  examination: Examination | undefined,
): Promise<number> {
  const revision = await staging.transaction(async (connection) => {
    const { revision } = await writeExamined(connection, current, set, examination);
    if (examination?.isRehearsal === true) throw new EndOfRehearsal();
    await engine.announce(connection, "revisions");
    return revision;
  });
  await becomeVisible(engine, [{ ...set, ...current, revision }]);
  return revision;
}

/** Writes new generations, which readers do not see yet. */
async function write(
  staging: Staging,
  changes: readonly OrganizationChange[],
  progress: (rows: number) => void,
): Promise<Written[]> {
  const written = await begin(staging, changes);
  for (const { change, generation } of written) await staging.write(ASSIGN, change.organization, generation);
  await derive(staging, written.length);
  await stageSets(staging);
  for (const { table, parts } of fillsOf(staging.dialect, written.length)) {
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
