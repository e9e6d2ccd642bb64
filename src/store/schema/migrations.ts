/** The schema, and how a database gets from one version to the next. The first step is in tables.ts. */
import { type Connection, type Dialect, statement } from "../engine/engine.ts";
import { CommandError } from "../../domain/error.ts";
import { TABLES } from "./tables.ts";

/** The schema as numbered steps. Never change a released step. */
const STEPS: readonly ((dialect: Dialect) => string)[] = [TABLES];

/** The schema version that this program writes. */
export const SCHEMA = STEPS.length;

const CREATE = "CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY, applied_at text NOT NULL)";
const EXISTS = statement<[tables: number]>(
  ({ exists }) => `SELECT CASE WHEN ${exists("migration")} THEN 1 ELSE 0 END`,
);
const LATEST = statement<[number | null]>(() => "SELECT max(number) FROM migration");
const RECORD = statement<never>(() => "INSERT INTO migration (number, applied_at) VALUES ($1, $2)");

/** A table that the schemas of before the first release lack, whose numbers were given again. */
const IS_RELEASED = statement<[tables: number]>(
  ({ exists }) => `SELECT CASE WHEN ${exists("member_row")} THEN 1 ELSE 0 END`,
);

/**
 * The schema version of a database; 0 for an empty database. `name` is the database's name for messages. Throws a
 * CommandError for a version that was never released.
 */
export async function schemaOf(connection: Connection, name: string): Promise<number> {
  const [table] = await connection.read(EXISTS);
  if (table?.[0] !== 1) return 0;
  const [row] = await connection.read(LATEST);
  const version = row?.[0] ?? 0;
  const [released] = await connection.read(IS_RELEASED);
  if (version === 0 || released?.[0] === 1) return version;
  throw new CommandError(
    `The database ${name} is of before the first release (its schema ${version}). ` +
      "Export its organizations with the program that wrote it, and import them into a new database.",
  );
}

/** The end of a statement: a semicolon at the end of its line, but for a comment. */
const END = /;[^\S\n]*(?:--[^\n]*)?(?:\n|$)/;

/**
 * Runs the statements of a step one by one: a distributed PostgreSQL sends the nodes the whole text in which it finds a
 * statement that changes a table.
 */
export async function runStep(connection: Pick<Connection, "script">, step: string): Promise<void> {
  for (const each of step.split(END)) if (each.trim() !== "") await connection.script(each);
}

/** Applies the steps after version `from`. Call it inside one transaction. */
export async function migrate(connection: Connection, from: number): Promise<void> {
  await connection.script(CREATE);
  for (const [index, step] of STEPS.entries()) {
    const number = index + 1;
    if (number <= from) continue;
    await runStep(connection, step(connection.dialect));
    await connection.write(RECORD, number, new Date().toISOString());
  }
}
