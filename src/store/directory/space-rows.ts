import { spaceOfKey } from "../../domain/content.ts";
import type { Document } from "../../domain/document.ts";
import { type PositionRows, positionRows, rowsAt } from "./position-rows.ts";
import type { Reading } from "../reading.ts";

export interface SpaceDetails {
  readonly id: string;
  /** The sort key of lists: time of creation, then id. */
  readonly key: string;
  readonly document: Document;
}

type StoredSpace = [position: number, key: string, text: string, omitted: number];

const COLUMNS = "t.key, t.doc, t.omitted";
const ROWS: PositionRows<StoredSpace> = positionRows(COLUMNS, "space");

/** The spaces at the given positions, by position. Spaces at positions in between may be included. */
export async function spacesAt(
  reading: Reading,
  positions: readonly number[],
): Promise<ReadonlyMap<number, SpaceDetails>> {
  const rows = await rowsAt(reading, ROWS, positions);
  return new Map([...rows].map(([position, [, ...row]]) => [position, spaceOf(...row)]));
}

function spaceOf(key: string, text: string, omitted: number): SpaceDetails {
  return { id: spaceOfKey(key), key, document: { text, omitted } };
}
