import { contentKey, type ContentKey } from "../domain/content.ts";
import type { Document } from "../domain/document.ts";
import { type Statement, statement } from "./engine.ts";
import { Content, type LevelRow } from "./content.ts";
import { BEHIND, type Order } from "./heads.ts";
import { spaceAt } from "./position.ts";
import type { Reading } from "./reading.ts";

/** A space in the order of creation, with its own level of the ladder. */
export interface Space {
  readonly position: string;
  readonly content: Content;
  readonly document: Document;
}

export type SpaceRow = [position: string, text: string, omitted: number, ...LevelRow];

export const SPACE_COLUMNS =
  "s.position, s.doc, s.omitted, s.parent, s.title, s.default_level, s.direct, s.teams";

const NEXT: Readonly<Record<Order, Statement<SpaceRow>>> = { asc: next("asc"), desc: next("desc") };

function next(order: Order): Statement<SpaceRow> {
  return statement(
    () => `
      SELECT ${SPACE_COLUMNS} FROM space s
        WHERE s.snapshot = $1 AND s.position ${BEHIND[order]} $2 ORDER BY s.position ${order} LIMIT $3`,
  );
}

const AT = statement<SpaceRow>(
  ({ texts }) => `
    SELECT ${SPACE_COLUMNS} FROM ${texts("$2", "wanted")} CROSS JOIN space s
      WHERE s.snapshot = $1 AND s.position = wanted.value`,
);

/** The first `size` spaces behind a position: one stretch of the table. */
export async function nextSpaces(
  reading: Reading,
  order: Order,
  after: string,
  size: number,
): Promise<Space[]> {
  return (await reading.read(NEXT[order], reading.snapshot, after, size)).map(spaceOf);
}

/** The spaces at some positions, in the order asked. */
export async function spacesAt(reading: Reading, positions: readonly string[]): Promise<Space[]> {
  if (positions.length === 0) return [];
  const rows = await reading.read(AT, reading.snapshot, positions);
  const found = new Map(rows.map((row) => [row[0], spaceOf(row)]));
  return positions.flatMap((position) => found.get(position) ?? []);
}

export function spaceOf([position, text, omitted, ...level]: SpaceRow): Space {
  return { position, content: new Content(keyAt(position), level), document: { text, omitted } };
}

function keyAt(position: string): ContentKey {
  return contentKey("space", spaceAt(position));
}
