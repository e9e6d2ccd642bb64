/** The schema: its tables, and how a database gets from one version to the next. The steps are in steps.ts. */
import { type Connection, type Dialect, statement } from "../engine/engine.ts";
import { CommandError } from "../../domain/error.ts";
import {
  APPLIED,
  CONTENT_ROW,
  FIRST,
  FIRST_ENDING,
  LINE_HASH,
  NO_SLOT_ORDER,
  ONE_FORM,
  RULE_DEFINITION,
  SIGN_IN,
  SPACE_LEVELS,
} from "./steps.ts";

/** Schema versions up to this one were never released. */
const UNRELEASED = 2;

/** Tables whose rows hold from one revision up to another. If a later step adds such a table, append it here. */
export const ENDING_TABLES = [...FIRST_ENDING] as const;

/** All tables whose key begins with the generation. */
export const GENERATION_TABLES = [
  ...ENDING_TABLES,
  "place",
  "search",
  "record_change",
  "line_hash",
  "applied",
] as const;

/**
 * The schema as numbered steps. Never change a released step.
 *
 * The primary key of every table begins with the generation, except for the small tables `organization`, `generation`,
 * `revision`, `token`, `sign_in`, `rule_result`, `counter` and `migration`. So an import writes a generation at the end of each
 * table, and deletes a generation as one range. A distributed PostgreSQL can distribute the tables by that column.
 */
const STEPS: readonly ((dialect: Dialect) => string)[] = [
  FIRST,
  LINE_HASH,
  SPACE_LEVELS,
  APPLIED,
  RULE_DEFINITION,
  ONE_FORM,
  NO_SLOT_ORDER,
  SIGN_IN,
  CONTENT_ROW,
];

/** The schema version that this program writes. */
export const SCHEMA = UNRELEASED + STEPS.length;

const CREATE = "CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY, applied_at text NOT NULL)";
const EXISTS = statement<[tables: number]>(
  ({ exists }) => `SELECT CASE WHEN ${exists("migration")} THEN 1 ELSE 0 END`,
);
const LATEST = statement<[number | null]>(() => "SELECT max(number) FROM migration");
const RECORD = statement<never>(() => "INSERT INTO migration (number, applied_at) VALUES ($1, $2)");

/** The schema version of a database; 0 for an empty database. */
export async function schemaOf(connection: Connection): Promise<number> {
  const [table] = await connection.read(EXISTS);
  if (table?.[0] !== 1) return 0;
  const [row] = await connection.read(LATEST);
  return row?.[0] ?? 0;
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

/**
 * Applies the steps after version `from`. `name` is the database's name for messages. Call it inside one transaction.
 * Throws a CommandError for a version that was never released.
 */
export async function migrate(connection: Connection, from: number, name: string): Promise<void> {
  if (from > 0 && from <= UNRELEASED) {
    throw new CommandError(
      `The database ${name} has schema ${from}, of before the first release; this program works with ${SCHEMA}. ` +
        "Export its organizations with the program that wrote it, and import them into a new database.",
    );
  }
  await connection.script(CREATE);
  for (const [index, step] of STEPS.entries()) {
    const number = UNRELEASED + index + 1;
    if (number <= from) continue;
    await runStep(connection, step(connection.dialect));
    await connection.write(RECORD, number, new Date().toISOString());
  }
}
