/** Reads rows of tables whose key begins with a position, in the order of sort keys or at given positions. */
import { positionAt, slotOf } from "../../../sets/position.ts";
import { holds } from "../../schema/as-of.ts";
import { type Order, type Place } from "../../sets/chunks.ts";
import { type Column, type Statement, statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import type { Universe } from "../../schema/set-names.ts";

export type PositionRow = [position: number, ...Column[]];

export interface PositionRows<Row extends PositionRow> {
  readonly universe: Universe;
  readonly asc: Statement<Row>;
  /** Absent if the table is only read in ascending order. */
  readonly desc?: Statement<Row>;
  readonly at: Statement<Row>;
}

/** Declares the statements for one table. `columns` is SQL that selects from the table with alias `t`. */
export function positionRows<Row extends PositionRow>(
  universe: Universe,
  columns: string,
  table: string,
  { downwards = false } = {},
): PositionRows<Row> {
  const between = (order: string) =>
    statement<Row>(
      () => `
        SELECT t.position, ${columns} FROM ${table} t
          WHERE ${holds("t")} AND t.position >= $3 AND t.position < $4
          ORDER BY t.position ${order} LIMIT $5`,
    );
  const at = statement<Row>(
    ({ numbers }) => `
      SELECT t.position, ${columns} FROM ${numbers("$3", "wanted")} CROSS JOIN ${table} t
        WHERE ${holds("t")} AND t.position = wanted.value`,
  );
  return { universe, asc: between("ASC"), at, ...(downwards ? { desc: between("DESC") } : {}) };
}

/**
 * Rows in the order of their sort keys. `next` is where the same chunk continues; `undefined` at the end of the chunk.
 */
export interface NextRows<Row> {
  readonly rows: readonly Row[];
  readonly next: Place | undefined;
}

/**
 * Whether most positions that were read have no current row: `count` rows were wanted, and `seen` rows were found.
 * Reading sets is cheaper then than reading more rows.
 */
export function isSparse(seen: number, count: number, next: Place | undefined): boolean {
  return next !== undefined && SPARSE * seen < count;
}

/** A read covers at most this many positions per wanted row, because thousands of positions may have no current row. */
const PLACES = 8;

/** A read is sparse if it finds less than one row per this many wanted rows. */
const SPARSE = 4;

/**
 * Up to `count` rows of one chunk, in the order of sort keys from `from` on. Fewer if positions have no current row.
 */
export async function nextRows<Row extends PositionRow>(
  reading: Reading,
  table: PositionRows<Row>,
  from: Place,
  order: Order,
  count: number,
): Promise<NextRows<Row>> {
  const { chunk, place, order: slotOrder } = from;
  if (slotOrder.slots === undefined) {
    const [first, end] =
      order === "asc"
        ? [place, Math.min(slotOrder.length, place + PLACES * count)]
        : [Math.max(0, place + 1 - PLACES * count), place + 1];
    const range = [positionAt(chunk, first), positionAt(chunk, end)] as const;
    const rows = await reading.read(table[order] ?? table.asc, ...reading.asOf, ...range, count);
    const last = rows.length < count ? undefined : rows.at(-1);
    const farthest = order === "asc" ? end - 1 : first;
    const following = (last === undefined ? farthest : slotOf(last[0])) + (order === "asc" ? 1 : -1);
    const isEnd = following < 0 || following >= slotOrder.length;
    return { rows, next: isEnd ? undefined : { chunk, place: following, order: slotOrder } };
  }
  const { positions, next } = nextPositions(from, order, count);
  const found = await rowsAt(reading, table, positions);
  const rows = positions.flatMap((position) => {
    const row = found.get(position);
    return row === undefined ? [] : [row];
  });
  return { rows, next };
}

/** Up to `count` consecutive positions of one chunk, from the given place on. `next` is where the chunk continues. */
export function nextPositions(
  { chunk, place, order: slotOrder }: Place,
  order: Order,
  count: number,
): { readonly positions: readonly number[]; readonly next: Place | undefined } {
  const step = order === "asc" ? 1 : -1;
  const isIn = (at: number) => at >= 0 && at < slotOrder.length;
  const positions: number[] = [];
  let at = place;
  for (; isIn(at) && positions.length < count; at += step) {
    positions.push(positionAt(chunk, slotOrder.slots?.[at] ?? at));
  }
  return { positions, next: isIn(at) ? { chunk, place: at, order: slotOrder } : undefined };
}

/**
 * At least {@link STRETCH} positions whose gaps are at most {@link GAP} are read as one range: looking up each position
 * would cost nearly twice as much.
 */
const STRETCH = 8;
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
    else reads.push(reading.read(table.asc, ...reading.asOf, first, end, end - first));
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
