import { type Connection, statement } from "./engine.ts";

/** Changes are numbered at random below this: after a failover a counter would come to the same number again. */
const CHANGES = 2 ** 48;

const CHANGE = statement<never>(() => "UPDATE counter SET value = $1 WHERE name = 'change'");

/** The number that every process looks at. */
export const CURRENT_CHANGE = statement<[change: number]>(
  () => "SELECT value FROM counter WHERE name = 'change'",
);

/** Marks that an organization or a token changes in this transaction. */
export async function markChange(connection: Connection): Promise<void> {
  await connection.write(CHANGE, Math.floor(Math.random() * CHANGES));
}
