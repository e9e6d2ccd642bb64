import type { ClientBase } from "pg";
import type { Column } from "../engine.ts";
import { MARKS, type Marks } from "../marks.ts";

/** What one look at a server tells. */
export interface Pulse extends Marks {
  /** The start of the server's process: the same number is the same server, which does not go back. */
  readonly server: number;
  readonly standby: boolean;
  /** The organizations that have revisions after one of which was known. */
  readonly published: { readonly after: number | undefined; readonly organizations: readonly string[] };
}

const LOOK = `
  SELECT CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000000 AS bigint),
         CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END,
         ${MARKS},
         (SELECT string_agg(DISTINCT organization, ' ') FROM revision WHERE revision > $1)`;

/**
 * Looks at the server that a session is on. What was committed there before is seen. `after`: the last revision of which
 * is known.
 */
export async function feelPulse(client: ClientBase, after: number | undefined): Promise<Pulse> {
  const query = { name: "rolebook_pulse", text: LOOK, values: [after ?? null], rowMode: "array" } as const;
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

/** Sessions listen here for changes; what is said does not matter. */
export const CHANNEL = "rolebook";

/** The key that all our advisory locks begin with; the table makes them those of one schema of one database. */
const LOCKS = { importing: 1_919_904_866, migrating: 1_919_904_867 } as const;

/** The two arguments of an advisory lock function. `migrating` is of the database: there may be no table yet. */
export function lockOf(lock: keyof typeof LOCKS): string {
  return `${LOCKS[lock]}, ${lock === "migrating" ? "0" : "CAST(CAST('counter' AS regclass) AS oid)::int"}`;
}
