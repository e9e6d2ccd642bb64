/** Reads the revision on which a change is based, over the transaction or the import that makes the change. */
import { type Connection, statement } from "../engine/engine.ts";
import { Reading } from "../reading.ts";
import { mustBeApplied } from "./applied.ts";
import { REVISION_COLUMNS, type RevisionRow, revisionOf } from "./past/row.ts";

const CURRENT = statement<RevisionRow>(
  () => `
    SELECT ${REVISION_COLUMNS} FROM organization o JOIN revision r ON r.revision = o.revision WHERE o.id = $1`,
);

/**
 * The current revision of an organization; `undefined` if the organization does not exist. Throws a CommandError if its
 * rows cannot be read yet.
 */
export async function currentOf(
  connection: Pick<Connection, "read" | "remote">,
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
    SELECT ${REVISION_COLUMNS} FROM organization o JOIN revision r ON r.organization = o.id
      WHERE o.id = $1 AND r.revision >= o.earliest
        AND (r.revision = o.earliest OR r.imported_at <= $2 OR r.command <> 'apply')
      ORDER BY r.revision DESC LIMIT 1`,
);

/**
 * The revision from which on the guard counts recent changes. This is the revision at a time (ISO 8601, UTC), or a
 * later one that a whole file made, because the guard has judged that file by itself. If the history does not reach
 * back to the time, it is the earliest readable revision.
 */
export async function inForce(
  connection: Pick<Connection, "read" | "remote">,
  organization: string,
  time: string,
): Promise<Reading | undefined> {
  const [row] = await connection.read(IN_FORCE, organization, time);
  return row === undefined ? undefined : new Reading(connection, revisionOf(row, 0));
}

const APPLIED = statement<[revision: number]>(
  () => "SELECT revision FROM revision WHERE organization = $1 AND change = $2 ORDER BY revision LIMIT 1",
);

/** The revision that a change file with this id made; `undefined` if there is none. */
export async function appliedAs(
  connection: Pick<Connection, "read">,
  organization: string,
  id: string,
): Promise<number | undefined> {
  const [row] = await connection.read(APPLIED, organization, id);
  return row?.[0];
}
