import type { Document } from "../domain/document.ts";
import { positionAt, SLOTS } from "../sets/position.ts";
import { holds } from "./as-of.ts";
import { chunksOf, type Order, startBehind } from "./chunks.ts";
import { type Statement, statement } from "./engine.ts";
import { spaceAt } from "./position.ts";
import type { Reading } from "./reading.ts";
import { SPACES } from "./set-names.ts";

/** A space as lists read it. */
export interface SpaceRow {
  readonly id: string;
  /** Creation and id: what lists are ordered by. */
  readonly key: string;
  readonly document: Document;
}

type Row = [position: number, key: string, text: string, omitted: number];

const COLUMNS = "s.position, s.key, s.doc, s.omitted";

const AT = statement<Row>(
  ({ numbers }) => `
    SELECT ${COLUMNS} FROM ${numbers("$3", "wanted")} CROSS JOIN space s
      WHERE ${holds("s")} AND s.position = wanted.value`,
);
const NEXT: Readonly<Record<Order, Statement<Row>>> = { asc: next("ASC"), desc: next("DESC") };

function next(order: string): Statement<Row> {
  return statement(
    () => `
      SELECT ${COLUMNS} FROM space s WHERE ${holds("s")} AND s.position >= $3 AND s.position < $4
        ORDER BY s.position ${order} LIMIT $5`,
  );
}

/** The spaces at some positions. */
export async function spacesAt(
  reading: Reading,
  positions: readonly number[],
): Promise<ReadonlyMap<number, SpaceRow>> {
  const rows = positions.length === 0 ? [] : await reading.read(AT, ...reading.asOf, positions);
  return new Map(rows.map((row) => [row[0], spaceOf(row)]));
}

/** Up to `count` spaces behind a key, all those that come next; none where they do not lie in a row. */
export async function nextSpaces(
  reading: Reading,
  order: Order,
  after: string | undefined,
  count: number,
): Promise<SpaceRow[]> {
  const start = await startBehind(reading, SPACES, after, order);
  const chunks = await chunksOf(reading, SPACES);
  const chunk = chunks[start.chunk];
  if (chunk === undefined || chunk.slots !== undefined) return [];
  const [from, to] = order === "asc" ? [start.place, SLOTS] : [0, start.place + 1];
  const rows = await reading.read(
    NEXT[order],
    ...reading.asOf,
    positionAt(chunk.number, from),
    positionAt(chunk.number, to),
    count,
  );
  return rows.map(spaceOf);
}

function spaceOf([, key, text, omitted]: Row): SpaceRow {
  return { id: spaceAt(key), key, document: { text, omitted } };
}
