import type { ClientBase } from "pg";
import type { Column } from "../engine.ts";

/** What one look at a server tells. */
export interface Pulse {
  /** The start of the server's process: the same number is the same server, which does not go back. */
  readonly server: number;
  readonly standby: boolean;
  /** Another number after each change of an organization or a token; equal numbers are equal states. */
  readonly change: number;
}

const LOOK = `
  SELECT CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000000 AS bigint),
         CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END,
         (SELECT value FROM counter WHERE name = 'change')`;

/** Looks at the server that a session is on. What was committed there before is seen. */
export async function feelPulse(client: ClientBase): Promise<Pulse> {
  const { rows } = await client.query<Column[]>({ name: "rolebook_pulse", text: LOOK, rowMode: "array" });
  const [server, standby, change] = rows[0] ?? [];
  return { server: Number(server), standby: standby === 1, change: Number(change) };
}

/** Sessions listen here for changes; what is said does not matter. */
export const CHANNEL = "rolebook";

/** The key that all our advisory locks begin with; the table makes them those of one schema of one database. */
const LOCKS = { importing: 1_919_904_866, migrating: 1_919_904_867 } as const;

/** The two arguments of an advisory lock function. `migrating` is of the database: there may be no table yet. */
export function lockOf(lock: keyof typeof LOCKS): string {
  return `${LOCKS[lock]}, ${lock === "migrating" ? "0" : "CAST(CAST('counter' AS regclass) AS oid)::int"}`;
}
