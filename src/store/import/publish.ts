import { CommandError } from "../../domain/error.ts";
import { type Connection, type Engine, type Staging, statement } from "../engine.ts";
import { derive } from "./derive.ts";
import { FOREVER } from "../as-of.ts";
import { MEMBERS } from "../set-names.ts";
import { isChange, type OrganizationChange } from "./difference.ts";
import { fillsOf } from "./fills.ts";
import { stageSets } from "./sets.ts";

/** An organization with its new revision, written but not yet to be seen. */
interface Written {
  readonly change: OrganizationChange;
  readonly revision: number;
}

const NUMBERS = statement<[last: number]>(
  () => "UPDATE counter SET value = value + $1 WHERE name = 'revision' RETURNING value",
);
const BEGIN = statement<never>(
  () => `
    INSERT INTO revision (revision, organization, title, counts) VALUES ($1, $2, $3, '{}')`,
);
const ASSIGN = statement<never>(() => "UPDATE staged_organization SET generation = $2 WHERE id = $1");

const CONFIRM = statement<never>(() => "UPDATE organization SET confirmed_at = $2 WHERE id = $1");

/**
 * Writes a new revision of each changed organization and then, in one short transaction, makes all of them the
 * current ones and notes of the unchanged ones that they are as they should be. Until then nobody sees them; when it fails nothing has happened. `progress` hears of rows written.
 */
export async function publish(
  engine: Engine,
  staging: Staging,
  organizations: readonly OrganizationChange[],
  progress: (rows: number) => void,
): Promise<void> {
  const changes = organizations.filter(isChange);
  const unchanged = organizations.filter((each) => !isChange(each));
  const written = changes.length === 0 ? [] : await write(staging, changes, progress);
  await staging.transaction(async (connection) => {
    const now = new Date().toISOString();
    for (const each of written) await point(connection, each, now);
    for (const { organization } of unchanged) await connection.write(CONFIRM, organization, now);
    if (written.length > 0) await engine.announce(connection);
  });
}

/** Writes the revisions; nobody sees them yet. */
async function write(
  staging: Staging,
  changes: readonly OrganizationChange[],
  progress: (rows: number) => void,
): Promise<Written[]> {
  const written = await begin(staging, changes);
  for (const { change, revision } of written) await staging.write(ASSIGN, change.organization, revision);
  await derive(staging, written.length);
  await stageSets(staging);
  for (const { table, selects } of fillsOf(staging.dialect, written.length)) {
    await staging.fill(table, selects, progress);
  }
  return written;
}

async function begin(staging: Staging, changes: readonly OrganizationChange[]): Promise<Written[]> {
  return staging.transaction(async (connection) => {
    const [row] = await connection.read(NUMBERS, changes.length);
    if (row === undefined) throw new CommandError("The database has lost its counter of revisions.");
    const written = changes.map((change, index) => ({ change, revision: row[0] - index }));
    for (const { change, revision } of written) {
      await connection.write(BEGIN, revision, change.organization, change.title);
    }
    return written;
  });
}

const CURRENT = statement<[revision: number, previous: number | null]>(
  () => "SELECT revision, previous FROM organization WHERE id = $1",
);
const FINISH = statement<never>(
  () => "UPDATE revision SET imported_at = $2, counts = $3 WHERE revision = $1",
);
const REPLACE = statement<never>(() => "UPDATE revision SET replaced_at = $2 WHERE revision = $1");
export const RELEASE = statement<never>(() => "UPDATE revision SET released_at = $2 WHERE revision = $1");
const POINT = statement<never>(
  () => `
    INSERT INTO organization (id, revision, previous, confirmed_at) VALUES ($1, $2, NULL, $3)
    ON CONFLICT (id) DO UPDATE SET
      previous = organization.revision, revision = excluded.revision, confirmed_at = excluded.confirmed_at`,
);
const MEMBER_TOKENS = statement<[id: string, member: string]>(
  () => "SELECT id, member FROM token WHERE organization = $1 AND member IS NOT NULL",
);
const PRESENT = statement<[member: string]>(
  ({ texts }) => `
    SELECT p.key FROM ${texts("$2", "holder")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = holder.value
        AND m.generation = $1 AND m.position = p.position AND m.until = ${FOREVER}`,
);
const DROP_TOKEN = statement<never>(() => "DELETE FROM token WHERE id = $1");

async function point(connection: Connection, { change, revision }: Written, now: string): Promise<void> {
  const [row] = await connection.read(CURRENT, change.organization);
  if (row?.[0] !== change.current) {
    throw new CommandError(
      `Organization ${change.organization} was changed while this import ran; nothing was changed, run it again.`,
    );
  }
  const finished = await connection.write(FINISH, revision, now, JSON.stringify(change.counts));
  if (finished !== 1) {
    throw new CommandError(
      `What was written of ${change.organization} is gone; nothing was changed, run the import again.`,
    );
  }
  if (row !== undefined) {
    await connection.write(REPLACE, row[0], now);
    if (row[1] !== null) await connection.write(RELEASE, row[1], now);
  }
  await connection.write(POINT, change.organization, revision, now);
  await dropTokens(connection, change.organization, revision);
}

/**
 * The tokens of members who are no longer there go (contract, section 7). Small tables and those of revisions are
 * never in one statement: a distributed PostgreSQL changes the ones without looking at the others.
 */
async function dropTokens(connection: Connection, organization: string, revision: number): Promise<void> {
  const tokens = await connection.read(MEMBER_TOKENS, organization);
  const holders = [...new Set(tokens.map(([, member]) => member))];
  const present = new Set((await connection.read(PRESENT, revision, holders)).map(([member]) => member));
  for (const [id, member] of tokens) if (!present.has(member)) await connection.write(DROP_TOKEN, id);
}
