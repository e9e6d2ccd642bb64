import type { ClientBase } from "pg";
import type { Column } from "../../engine.ts";
import { MARKS, type Marks } from "../../marks.ts";

/** The result of one probe. */
export interface Probe extends Marks {
  /** The start time of the server's process: while it is the same, the state does not go back. */
  readonly server: number;
  readonly standby: boolean;
  /** The organizations with revisions after number `after`, the last known revision. */
  readonly published: { readonly after: number | undefined; readonly organizations: readonly string[] };
}

const PROBE = `
  SELECT CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000000 AS bigint),
         CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END,
         ${MARKS},
         (SELECT string_agg(DISTINCT organization, ' ') FROM revision WHERE revision > $1)`;

/**
 * Probes the server of a session. The result includes everything that was committed on the server before the probe
 * began. `after` is the last known revision.
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

/** The channel of change notifications; their payload does not matter. */
export const CHANNEL = "rolebook";

/**
 * The first key of all advisory locks of this program. The second key is a table, so that locks belong to one schema
 * of one database.
 */
const LOCKS = { importing: 1_919_904_866, migrating: 1_919_904_867 } as const;

/**
 * The two arguments of an advisory lock function. `migrating` locks the whole database, because there may be no table
 * yet.
 */
export function lockOf(lock: keyof typeof LOCKS): string {
  return `${LOCKS[lock]}, ${lock === "migrating" ? "0" : "CAST(CAST('counter' AS regclass) AS oid)::int"}`;
}
