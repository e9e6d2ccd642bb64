/**
 * How a change becomes the current revision of an organization: {@link currentOf} reads what it is based on, over the
 * connection that writes; {@link numbered} assigns its number and time; {@link point} makes it the current one, in the
 * same transaction; {@link becomeVisible} waits, after the commit, until readers see it.
 *
 * On a distributed database, a transaction becomes visible on the coordinator, which names the current revision, and then
 * on the node with the rows: seconds later if the second message is lost. So each revision has a row on that node
 * (rows/revision-row.ts), which the transaction writes that publishes it: where this row is visible, the revision is
 * applied.
 */
import { CommandError, NotVisibleError } from "../../domain/error.ts";
import { type Connection, type Engine, statement } from "../engine/engine.ts";
import { type Counts, Reading, type Revision } from "../reading.ts";
import { raiseEarliest } from "./history.ts";
import { CURRENT, READABLE, REVISION_COLUMNS, type RevisionRow, revisionOf } from "./past.ts";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The current revision of an organization; `undefined` if the organization does not exist. Throws a CommandError if its
 * rows cannot be read yet.
 */
export async function currentOf(
  connection: Pick<Connection, "dialect" | "read" | "remote">,
  organization: string,
): Promise<Reading | undefined> {
  const [row] = await connection.read(CURRENT, organization);
  if (row === undefined) return undefined;
  const at = revisionOf(row, 0);
  await mustBeApplied(connection, at);
  return new Reading(connection, at);
}

const IN_FORCE = statement<RevisionRow>(
  () => `
    SELECT ${REVISION_COLUMNS} ${READABLE}
      AND (r.revision = o.earliest OR r.imported_at <= $2 OR r.command <> 'apply') ORDER BY r.revision DESC LIMIT 1`,
);

/**
 * The revision from which on the guard counts recent changes. This is the revision at a time (ISO 8601, UTC), or a
 * later one that a whole file made, because the guard has judged that file by itself. If the history does not reach
 * back to the time, it is the earliest readable revision.
 */
export async function inForce(
  connection: Pick<Connection, "dialect" | "read" | "remote">,
  organization: string,
  time: string,
): Promise<Reading | undefined> {
  const [row] = await connection.read(IN_FORCE, organization, time);
  return row === undefined ? undefined : new Reading(connection, revisionOf(row, 0));
}

const WITH_CHANGE = statement<[revision: number]>(
  () => "SELECT revision FROM revision WHERE organization = $1 AND change = $2 ORDER BY revision LIMIT 1",
);

/** The revision that a change file with this id made; `undefined` if there is none. */
export async function appliedAs(
  connection: Pick<Connection, "read">,
  organization: string,
  id: string,
): Promise<number | undefined> {
  const [row] = await connection.read(WITH_CHANGE, organization, id);
  return row?.[0];
}

/** The command and input of a revision, as `rolebook revisions` shows them. */
export interface ChangeSource {
  readonly command: "import" | "apply";
  readonly note: string | undefined;
  /** SHA-256 of the input, hexadecimal. */
  readonly input: string | undefined;
  /** The `id` of a change file. A change file with an id can be applied only once. */
  readonly id: string | undefined;
}

/** A revision before it gets a number and a time. */
interface Unpublished {
  readonly organization: string;
  /** The number of the revision that this one replaces; `undefined` for a new organization. */
  readonly base: number | undefined;
  /** The generation with the rows of the revision. */
  readonly generation: number;
  readonly title: string;
  readonly counts: Counts;
  readonly source: ChangeSource;
}

/** The number and time of a revision. The transaction that publishes the revision assigns them. */
export interface Publication {
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly importedAt: string;
}

const NUMBER = statement<[last: number]>(
  () => "UPDATE counter SET value = value + 1 WHERE name = 'revision' RETURNING value",
);
const INSERT = statement<never>(
  () => `
    INSERT INTO revision (revision, organization, generation, title, counts, imported_at, command, note, input, change)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
const POINT = statement<never>(
  () => `
    INSERT INTO organization (id, revision, earliest, erasures) VALUES ($1, $2, $2, 0)
      ON CONFLICT (id) DO UPDATE SET revision = excluded.revision`,
);

/**
 * Assigns a new revision its number, greater than all others in the database, and its time, at least 1 ms after the
 * organization's last one (docs/past.md). `now` (milliseconds) is the same for all organizations of an import.
 * Throws a CommandError if the organization has changed since `base`.
 */
export async function numbered(
  connection: Connection,
  { organization, base }: Pick<Unpublished, "organization" | "base">,
  now: number,
): Promise<Publication> {
  const [current] = await connection.read(CURRENT, organization);
  if (current?.[0] !== base) {
    throw new CommandError(
      `Organization ${organization} was changed by another command; nothing was changed. Run this again.`,
    );
  }
  const [row] = await connection.read(NUMBER);
  if (row === undefined) throw new CommandError("The database has lost its counter of revisions.");
  const time = Math.max(now, current === undefined ? 0 : Date.parse(current[4]) + 1);
  return { revision: row[0], importedAt: new Date(time).toISOString() };
}

/**
 * Makes a revision the current one of its organization. Call it in the transaction that called {@link numbered} and adds
 * the row of the revision.
 */
export async function point(
  connection: Connection,
  { organization, generation, title, counts, source }: Unpublished,
  { revision, importedAt }: Publication,
): Promise<void> {
  await connection.write(
    INSERT,
    revision,
    organization,
    generation,
    title,
    JSON.stringify(counts),
    importedAt,
    source.command,
    source.note ?? null,
    source.input ?? null,
    source.id ?? null,
  );
  await connection.write(POINT, organization, revision);
  await confirm(connection, organization, source, importedAt);
  await raiseEarliest(connection, organization, Date.now());
}

const CONFIRM_FILE = statement<never>(
  () => "UPDATE organization SET confirmed_at = $2, file_at = $2 WHERE id = $1",
);
const CONFIRM_CHANGE = statement<never>(
  () => "UPDATE organization SET confirmed_at = $2, change_at = $2 WHERE id = $1",
);

/** Records when an organization was last imported or changed, even if nothing differed. `at` is ISO 8601, UTC. */
export async function confirm(
  connection: Connection,
  organization: string,
  { command }: ChangeSource,
  at: string,
): Promise<void> {
  await connection.write(command === "apply" ? CONFIRM_CHANGE : CONFIRM_FILE, organization, at);
}

/** A revision that a command has published, and the generation with its rows. */
export type Published = Pick<Revision, "organization" | "generation" | "revision">;

const APPLIED = statement<[one: number]>(
  () => "SELECT 1 FROM revision_row WHERE generation = $1 AND revision = $2",
);

/** Whether the rows of a revision are visible. */
export async function isApplied(
  reader: Pick<Connection, "read">,
  { generation, revision }: Pick<Published, "generation" | "revision">,
): Promise<boolean> {
  return (await reader.read(APPLIED, generation, revision)).length > 0;
}

/** Throws a CommandError if a change of this revision would not read all of its rows. */
export async function mustBeApplied(reader: Pick<Connection, "read">, base: Published): Promise<void> {
  if (await isApplied(reader, base)) return;
  throw new CommandError(
    `Revision ${base.revision} of organization ${base.organization} is committed, but its node does not show it yet; nothing was changed. Run this again.`,
  );
}

/** How long a command waits until readers see its revision, and the interval of its looks, in milliseconds. */
const PATIENCE = 10_000;
const LOOK_INTERVAL = 50;

/**
 * Resolves when readers see the revisions that a command has published. Throws a NotVisibleError if a node does not show
 * one of them within {@link PATIENCE}.
 */
export async function becomeVisible(
  engine: Pick<Engine, "read">,
  published: readonly Published[],
): Promise<void> {
  const until = performance.now() + PATIENCE;
  for (const each of published) {
    for (;;) {
      // The revision is committed, whatever the error of a look is.
      const cause = await isApplied(engine, each).catch((error: unknown) => ({ error }));
      if (cause === true) break;
      if (performance.now() > until) throw notVisible(each, cause);
      await sleep(LOOK_INTERVAL);
    }
  }
}

function notVisible({ organization, revision }: Published, cause: unknown): NotVisibleError {
  return new NotVisibleError(
    `Revision ${revision} of organization ${organization} is committed, but its node does not show it yet; readers see the revision before it until then. Do not run this again; rolebook status shows what is missing.`,
    { cause },
  );
}
