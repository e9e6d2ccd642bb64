/** Makes written rows the current revision of an organization. */
import { CommandError } from "../../domain/error.ts";
import type { ChangeSource } from "../writing/change/record-change.ts";
import { type Connection, statement } from "../engine/engine.ts";
import type { Counts } from "../reading.ts";
import { markApplied } from "./applied.ts";
import { raiseEarliest } from "./past/history.ts";

/** A revision before it gets a number and a time. */
export interface Unpublished {
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

const CURRENT = statement<[revision: number, importedAt: string]>(
  () => `
    SELECT r.revision, r.imported_at FROM organization o JOIN revision r ON r.revision = o.revision WHERE o.id = $1`,
);
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
 * organization's last one (contract, section 1). `now` (milliseconds) is the same for all organizations of an import.
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
  const time = Math.max(now, current === undefined ? 0 : Date.parse(current[1]) + 1);
  return { revision: row[0], importedAt: new Date(time).toISOString() };
}

/** Makes a revision the current one of its organization. Call it in the transaction that called {@link numbered}. */
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
  await markApplied(connection, generation, revision);
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
