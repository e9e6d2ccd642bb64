import { CommandError } from "../../../domain/error.ts";
import { migrate, SCHEMA, schemaOf } from "../../schema/migrations.ts";
import { connect, type Session } from "./connect/connect.ts";
import { PostgresConnection } from "./connection.ts";
import { reasonOf, toCommandError } from "./failure.ts";
import { lockOf } from "./hosts/probe.ts";
import { addressText, type PostgresSettings, readPostgresUrl } from "./connect/url.ts";

/**
 * Migrates a PostgreSQL database to this program's schema, in one transaction on the primary. A concurrent migration
 * waits. Returns the database's name and the previous schema version. Throws a CommandError if no primary answers or
 * the schema is newer than the program.
 */
export async function migratePostgres(url: string): Promise<{ name: string; before: number }> {
  const settings = readPostgresUrl(url);
  try {
    await using session = await primaryOf(settings);
    return { name: settings.name, before: await migrateOver(session, settings) };
  } catch (error) {
    throw toCommandError(error);
  }
}

async function migrateOver({ client }: Session, { name }: PostgresSettings): Promise<number> {
  const connection = new PostgresConnection(client);
  await connection.script(`SET statement_timeout = 0; SELECT pg_advisory_lock(${lockOf("migrating")})`);
  await connection.script("BEGIN");
  const found = await schemaOf(connection);
  if (found > SCHEMA) {
    throw new CommandError(
      `The database ${name} has schema ${found}; this program knows ${SCHEMA}. Use a newer rolebook.`,
    );
  }
  if (found < SCHEMA) await migrate(connection, found, name);
  await connection.script("COMMIT");
  return found;
}

async function primaryOf(settings: PostgresSettings): Promise<Session> {
  const reasons: string[] = [];
  for (const address of settings.addresses) {
    try {
      const manner = { purpose: "migrate", connection: settings.connectTimeout, statement: 0 };
      const session = await connect(settings, address, manner);
      const { rows } = await session.client.query<{ standby: string }>(
        "SELECT CAST(pg_is_in_recovery() AS text) AS standby",
      );
      if (rows[0]?.standby === "false") return session;
      await session.end();
      reasons.push(`${addressText(address)} is a standby`);
    } catch (error) {
      reasons.push(`${addressText(address)}: ${reasonOf(error)}`);
    }
  }
  throw new CommandError(
    `No server of ${settings.name} is a primary, which accepts changes: ${reasons.join("; ")}.`,
  );
}
