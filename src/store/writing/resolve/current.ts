/** Reads the revision on which a change is based. */
import { type Connection, statement } from "../../engine/engine.ts";
import { mustBeApplied } from "../../revisions/applied.ts";
import { parseCounts } from "../../revisions/past/row.ts";
import type { Base } from "./guard/guard.ts";

/** A revision, and a connection that reads as of it. */
export interface Snapshot extends Base {
  readonly revision: Base["revision"] & {
    readonly revision: number;
    readonly generation: number;
    readonly title: string;
  };
}

type Row = [revision: number, generation: number, title: string, counts: string];

const CURRENT = statement<Row>(
  () => `
    SELECT r.revision, r.generation, r.title, r.counts
      FROM organization o JOIN revision r ON r.revision = o.revision WHERE o.id = $1`,
);

/**
 * The current revision of an organization; `undefined` if the organization does not exist. Throws a CommandError if its
 * rows cannot be read yet.
 */
export async function currentOf(
  connection: Pick<Connection, "read">,
  organization: string,
): Promise<Snapshot | undefined> {
  const [row] = await connection.read(CURRENT, organization);
  if (row === undefined) return undefined;
  const found = snapshotOf(connection, organization, row);
  await mustBeApplied(connection, found.revision);
  return found;
}

function snapshotOf(
  connection: Pick<Connection, "read">,
  organization: string,
  [revision, generation, title, counts]: Row,
): Snapshot {
  return {
    asOf: [generation, revision],
    read: (wanted, ...parameters) => connection.read(wanted, ...parameters),
    revision: { organization, revision, generation, title, counts: parseCounts(counts) },
  };
}

const IN_FORCE = statement<Row>(
  () => `
    SELECT r.revision, r.generation, r.title, r.counts FROM organization o JOIN revision r ON r.organization = o.id
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
  connection: Pick<Connection, "read">,
  organization: string,
  time: string,
): Promise<Snapshot | undefined> {
  const [row] = await connection.read(IN_FORCE, organization, time);
  return row === undefined ? undefined : snapshotOf(connection, organization, row);
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
