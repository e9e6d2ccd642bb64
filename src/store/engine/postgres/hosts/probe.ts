import type { ClientBase } from "pg";
import type { Column } from "../../engine.ts";
import { MARKS, type Marks } from "../../marks.ts";

export interface Probe extends Marks {
  /**
   * The start time of the server's process in microseconds. A server with the same start time has not returned to an
   * earlier state.
   */
  readonly server: number;
  readonly standby: boolean;
  /** The organizations with revisions after `after`, the latest revision that this process had read. */
  readonly published: { readonly after: number | undefined; readonly organizations: readonly string[] };
}

const PROBE = `
  SELECT CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000000 AS bigint),
         CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END,
         ${MARKS},
         (SELECT string_agg(DISTINCT organization, ' ') FROM revision WHERE revision > $1)`;

/**
 * Probes a server. The result includes everything that was committed before the probe began. `after` is the latest
 * revision that this process has read.
 */
export async function probeServer(client: ClientBase, after: number | undefined): Promise<Probe> {
  const query = { name: "rolebook_probe", text: PROBE, values: [after ?? null], rowMode: "array" } as const;
  const { rows } = await client.query<Column[]>(query);
  const [server, standby, change, reset, revision, published] = rows[0] ?? [];
  const organizations = published === null ? [] : String(published).split(" ");
  return {
    server: Number(server),
    standby: standby === 1,
    change: Number(change),
    reset: Number(reset),
    revision: Number(revision),
    published: { after, organizations },
  };
}

/** The channel on which changes are notified. Notifications have no payload. */
export const CHANNEL = "rolebook";

/**
 * The first keys of this program's advisory locks. The second key is the id of a table, so that each schema of each
 * database has its own locks.
 */
const LOCKS = { importing: 1_919_904_866, migrating: 1_919_904_867 } as const;

/**
 * The two keys of an advisory lock, as SQL. The lock `migrating` covers the whole database, because no table may exist
 * yet.
 */
export function lockOf(lock: keyof typeof LOCKS): string {
  return `${LOCKS[lock]}, ${lock === "migrating" ? "0" : "CAST(CAST('counter' AS regclass) AS oid)::int"}`;
}
