/** Runs a statement for many rows: one row per run on SQLite, many rows per run on PostgreSQL. */
import type { Column, Connection, Parameter, Statement } from "./engine.ts";

type Rows = readonly (readonly Column[])[];

/** Runs a statement for all rows, and returns the rows that it finds, in any order. */
export async function readEach<Row extends Column[]>(
  connection: Pick<Connection, "dialect" | "read">,
  wanted: Statement<Row>,
  parameters: readonly Parameter[],
  rows: Rows,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const given of connection.dialect.runs(rows)) {
    for (const row of await connection.read(wanted, ...parameters, ...given)) found.push(row);
  }
  return found;
}

/** Runs a statement that changes rows, for all of the given rows. */
export async function writeEach(
  connection: Pick<Connection, "dialect" | "writeEach">,
  wanted: Statement<never>,
  parameters: readonly Parameter[],
  rows: Rows,
): Promise<void> {
  const runs = [...connection.dialect.runs(rows)].map((given) => [...parameters, ...given]);
  await connection.writeEach(wanted, runs);
}
