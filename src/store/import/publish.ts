import { CommandError } from "../../domain/error.ts";
import type { ChangeSource } from "../apply/record-change.ts";
import { type Connection, type Engine, type Staging, statement } from "../engine.ts";
import { confirm, numbered, point, type Publication } from "../revisions/publication.ts";
import { derive } from "./derive.ts";
import { LOGGED } from "./differing.ts";
import { isChange, isKnown, type OrganizationChange } from "./difference.ts";
import { dropTokens } from "../revisions/leavers.ts";
import { fillsOf } from "./fills.ts";
import { stageSets } from "./sets.ts";

/** An organization with its new generation, written but not yet to be seen. */
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
 * Writes a new generation of each changed organization and then, in one short transaction, makes all of them the
 * current ones and notes of the unchanged ones that they are as they should be. Until then nobody sees them; when it
 * fails nothing has happened. `progress` hears of rows written.
 */
export async function publish(
  engine: Engine,
  staging: Staging,
  organizations: readonly OrganizationChange[],
  source: ChangeSource,
  progress: (rows: number) => void,
): Promise<Publication[]> {
  const changes = organizations.filter(isChange);
  const unchanged = organizations.filter((each) => !isChange(each));
  const written = changes.length === 0 ? [] : await write(staging, changes, progress);
  return staging.transaction(async (connection) => {
    const now = Date.now();
    const published: Publication[] = [];
    for (const each of written) published.push(await pointAt(connection, each, source, now));
    for (const { organization } of unchanged) {
      await confirm(connection, organization, source, new Date(now).toISOString());
    }
    if (written.length > 0) await engine.announce(connection);
    return published;
  });
}

/** Writes the generations; nobody sees them yet. */
async function write(
  staging: Staging,
  changes: readonly OrganizationChange[],
  progress: (rows: number) => void,
): Promise<Written[]> {
  const written = await begin(staging, changes);
  for (const { change, generation } of written) await staging.write(ASSIGN, change.organization, generation);
  await derive(staging, written.length);
  await stageSets(staging);
  for (const { table, selects } of fillsOf(staging.dialect, written.length)) {
    await staging.fill(table, selects, progress);
  }
  if (changes.some(isKnown)) await staging.fill("record_change", [LOGGED], progress);
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
