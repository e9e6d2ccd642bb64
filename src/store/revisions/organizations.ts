/**
 * All organizations of a database, for commands and metrics: their list, how fresh their data is, which of them a node of
 * a distributed database does not answer for, and the removal of one.
 */
import { CommandError } from "../../domain/error.ts";
import { type Engine, type Reader, statement } from "../engine/engine.ts";
import type { Revision } from "../reading.ts";
import { dropRuleResults } from "../rule-results.ts";
import { GRACE, sweep } from "../rows/prune.ts";
import { REVISION_COLUMNS, type RevisionRow, revisionOf } from "./past.ts";
import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const LATEST = statement<RevisionRow>(
  () => `
    SELECT ${REVISION_COLUMNS} FROM organization o JOIN revision r ON r.revision = o.revision ORDER BY o.id`,
);

/** All organizations at their latest revisions, by id, even if the node with their rows does not answer. */
export async function listOrganizations(engine: Engine): Promise<Revision[]> {
  const { history } = engine;
  return (await engine.read(LATEST)).map((row) => revisionOf(row, history));
}

const DROP_REVISIONS = statement<never>(() => "DELETE FROM revision WHERE organization = $1");
const DROP_TOKENS = statement<never>(() => "DELETE FROM token WHERE organization = $1");
const DROP_BINDINGS = statement<never>(() => "DELETE FROM sign_in WHERE organization = $1");
const DROP = statement<never>(() => "DELETE FROM organization WHERE id = $1");
const TOKENS = statement<[tokens: number]>(() => "SELECT count(*) FROM token WHERE organization = $1");

/** A removal that has begun is a row among the counters until {@link endRemoval}. */
const BEGIN = statement<never>(
  () => "INSERT INTO counter (name, value) VALUES ($1, 0) ON CONFLICT (name) DO NOTHING",
);
const BEGUN = statement<[one: number]>(() => "SELECT 1 FROM counter WHERE name = $1");
/** Generations of which the rows could not be deleted. */
const LEFT = statement<[generation: number]>(
  () => "SELECT generation FROM generation WHERE organization = $1",
);
const END = statement<never>(() => "DELETE FROM counter WHERE name = $1");

/** Has the hash of the id, because a file keeps the bytes of a deleted row. */
function removalOf(id: string): string {
  return `removal ${hash("sha256", id)}`;
}

/** How long running reads of a removed organization have to end, in milliseconds. */
const LAST_PAGES = 2_000;

/** The number of tokens that the removal of an organization deletes. */
export async function countTokens(engine: Engine, id: string): Promise<number> {
  const [row] = await engine.read(TOKENS, id);
  return Number(row?.[0] ?? 0);
}

/**
 * Removes an organization, its tokens and its bindings of accounts. Requests that begin afterwards do not see the organization. Its rows are
 * deleted after {@link LAST_PAGES} ms; `progress` receives the number of rows deleted since its last call. `waiting` is
 * called if an import must end first. An interrupted removal is continued by the next call. Call {@link endRemoval} when
 * the deleted rows are also overwritten. Throws a CommandError if the organization does not exist, or if a node with its
 * rows does not answer.
 */
export async function removeOrganization(
  engine: Engine,
  id: string,
  waiting: () => void,
  progress?: (rows: number) => void,
): Promise<void> {
  await engine.importing(async (staging) => {
    await staging.transaction(async (connection) => {
      // Deletes the organization first: a transaction that creates a token locks the organization's row, so this
      // statement waits until that transaction has ended.
      const dropped = await connection.write(DROP, id);
      if (dropped === 0) {
        if ((await connection.read(BEGUN, removalOf(id))).length > 0) return;
        throw new CommandError(`There is no organization ${JSON.stringify(id)}.`);
      }
      await connection.write(BEGIN, removalOf(id));
      await connection.write(DROP_REVISIONS, id);
      await connection.write(DROP_TOKENS, id);
      await connection.write(DROP_BINDINGS, id);
      await dropRuleResults(connection, id);
      await engine.announce(connection, "anything");
    });
    await sleep(LAST_PAGES);
    await sweep(staging, GRACE, progress);
    if ((await staging.read(LEFT, id)).length > 0) {
      throw new CommandError(
        `Organization ${id} is removed, but a node with its rows does not answer. Run this again when the node answers.`,
      );
    }
  }, waiting);
}

/** Until this is called, {@link removeOrganization} can be called again for the same organization. */
export async function endRemoval(engine: Engine, id: string): Promise<void> {
  await engine.transaction((connection) => connection.write(END, removalOf(id)));
}

/** Two times (ISO 8601, UTC): of the organization with the oldest data, and of the one with the newest. */
interface Span {
  readonly oldest: string;
  readonly newest: string;
}

/** The number of organizations, and the age of their data. */
export interface Freshness {
  readonly organizations: number;
  /** The times of the current revisions; `undefined` if there is no organization. */
  readonly imported: Span | undefined;
  /** The times of the last imports and changes, including those that changed nothing. */
  readonly confirmed: Span | undefined;
}

type Time = string | null;

const CONFIRMED = "coalesce(o.confirmed_at, s.imported_at)";
const FRESHNESS = statement<[organizations: number, Time, Time, Time, Time]>(
  () => `
    SELECT count(*), min(s.imported_at), max(s.imported_at), min(${CONFIRMED}), max(${CONFIRMED})
      FROM organization o JOIN revision s ON s.revision = o.revision`,
);

/** The age of the data of all organizations. Cheap: reads only small tables. */
export async function freshness(engine: Engine): Promise<Freshness> {
  const [row] = await engine.read(FRESHNESS);
  const [organizations, oldest, newest, oldestConfirmed, newestConfirmed] = row ?? [
    0,
    null,
    null,
    null,
    null,
  ];
  return {
    organizations: Number(organizations),
    imported: spanOf(oldest, newest),
    confirmed: spanOf(oldestConfirmed, newestConfirmed),
  };
}

function spanOf(oldest: Time, newest: Time): Span | undefined {
  return oldest === null || newest === null ? undefined : { oldest, newest };
}

const CONFIRMATION = statement<[at: string]>(
  () => `
    SELECT ${CONFIRMED} FROM organization o JOIN revision s ON s.revision = o.revision WHERE o.id = $1`,
);

/**
 * The time of an organization's last import or change (ISO 8601, UTC), even if it changed nothing; `undefined` if the
 * organization does not exist.
 */
export async function confirmedAt(reader: Reader, organization: string): Promise<string | undefined> {
  const [row] = await reader.read(CONFIRMATION, organization);
  return row?.[0];
}

/** The number of organizations that are read at the same time. */
const ORGANIZATIONS_AT_ONCE = 32;

/**
 * The ids of the organizations that did not answer within a second: the node of a distributed database with their rows
 * may be unreachable.
 */
export async function unreachable(
  engine: Pick<Engine, "answers">,
  organizations: readonly Pick<Revision, "organization" | "generation">[],
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  const left = organizations.values();
  const tryEach = async () => {
    for (const { organization, generation } of left) {
      if (!(await engine.answers(generation))) lost.add(organization);
    }
  };
  await Promise.all(Array.from({ length: ORGANIZATIONS_AT_ONCE }, tryEach));
  return lost;
}
