/** Reads rows of tables whose key begins with a position, in the order of sort keys or at given positions. */
import { limit } from "../../sets/limit.ts";
import { holds } from "../schema/as-of.ts";
import { type SqlValue, type Statement, statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";

export type PositionRow = [position: number, ...SqlValue[]];

export interface PositionRows<Row extends PositionRow> {
  readonly between: Statement<Row>;
  readonly at: Statement<Row>;
}

/** Declares the statements for one table. `columns` is SQL that selects from the table with alias `t`. */
export function positionRows<Row extends PositionRow>(columns: string, table: string): PositionRows<Row> {
  const between = statement<Row>(
    () => `
      SELECT t.position, ${columns} FROM ${table} t
        WHERE ${holds("t")} AND t.position >= $3 AND t.position < $4 ORDER BY t.position`,
  );
  const at = statement<Row>(
    ({ numbers }) => `
      SELECT t.position, ${columns} FROM ${numbers("$3", "wanted")} CROSS JOIN ${table} t
        WHERE ${holds("t")} AND t.position = wanted.value`,
  );
  return { between, at };
}

/**
 * At least {@link STRETCH} positions whose gaps are at most {@link GAP} are read as one range: looking up each position
 * would cost nearly twice as much.
 */
const STRETCH = limit("rows.stretch", 8);
const GAP = 2;

/** The rows at the given positions, by position. Rows at positions in between may be included. */
export async function rowsAt<Row extends PositionRow>(
  reading: Reading,
  table: PositionRows<Row>,
  positions: readonly number[],
): Promise<ReadonlyMap<number, Row>> {
  const alone: number[] = [];
  const reads: Promise<Row[]>[] = [];
  for (const run of runsOf(positions)) {
    const [first = 0] = run;
    const end = (run.at(-1) ?? 0) + 1;
    if (run.length < STRETCH) alone.push(...run);
    else reads.push(reading.read(table.between, ...reading.asOf, first, end));
  }
  if (alone.length > 0) reads.push(reading.read(table.at, ...reading.asOf, alone));
  const found = await Promise.all(reads);
  return new Map(found.flat().map((row) => [row[0], row]));
}

/** Groups positions into ascending runs. A position more than {@link GAP} after the last one starts a new run. */
function runsOf(positions: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const position of positions.toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && position - (run.at(-1) ?? 0) <= GAP) run.push(position);
    else runs.push([position]);
  }
  return runs;
}
