/** Writes into a database what no command would write. */
import { type Engine, type SqlParameter, type Statement } from "../src/store/engine/engine.ts";

/** Returns the number of changed rows. */
export function writeDirectly(
  engine: Engine,
  wanted: Statement<never>,
  ...parameters: SqlParameter[]
): Promise<number> {
  return engine.transaction((connection) => connection.write(wanted, ...parameters));
}

/** Runs statements without parameters, separated by semicolons. */
export function runDirectly(engine: Engine, sql: string): Promise<void> {
  return engine.transaction((connection) => connection.script(sql));
}

/** Sets the history of the database, in milliseconds, and deletes nothing, as `rolebook history` would. */
export function keepHistory(engine: Engine, milliseconds: number): Promise<void> {
  return runDirectly(engine, `UPDATE counter SET value = ${milliseconds} WHERE name = 'history'`);
}
