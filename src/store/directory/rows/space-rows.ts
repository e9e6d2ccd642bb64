import { contentKey } from "../../../domain/content.ts";
import type { Document } from "../../../domain/document.ts";
import type { Order, Place } from "../../sets/chunks.ts";
import { decodeContent, decodeDefaultLevel } from "../../schema/encoding.ts";
import type { Content } from "../content.ts";
import { spaceOfKey } from "../../schema/sort-key.ts";
import { nextRows, type PositionRows, positionRows, rowsAt } from "./position-rows.ts";
import type { Reading } from "../../reading.ts";
import { SPACES } from "../../schema/set-names.ts";

export interface SpaceRow {
  readonly id: string;
  /** The sort key of lists: time of creation, then id. */
  readonly key: string;
  readonly document: Document;
}

/** A space with its parent, default level and team grants. */
export interface SpaceWithLevel extends SpaceRow {
  readonly level: Omit<Content, "teams" | "title">;
  /** The team grants of the space; `grantsAmong` decodes them. */
  readonly teams: string;
}

type Row = [position: number, key: string, text: string, omitted: number];
type WithLevel = [...Row, parent: string | null, level: number, teams: string];

const COLUMNS = "t.key, t.doc, t.omitted";
const ROWS: PositionRows<Row> = positionRows(SPACES, COLUMNS, "space");
/** Only used on a local database. On a remote one, pages read spaces and ladders in one round trip. */
export const WITH_LEVEL: PositionRows<WithLevel> = positionRows(
  SPACES,
  `${COLUMNS}, t.parent, t.level, t.teams`,
  "space",
  { downwards: true },
);

/** The spaces at the given positions, by position. Spaces at positions in between may be included. */
export async function spacesAt(
  reading: Reading,
  positions: readonly number[],
): Promise<ReadonlyMap<number, SpaceRow>> {
  const rows = await rowsAt(reading, ROWS, positions);
  return new Map([...rows].map(([position, [, ...row]]) => [position, spaceOf(...row)]));
}

/** Up to `count` spaces of one chunk, by time of creation from `from` on. `next` is where the chunk continues. */
export async function nextSpaces(
  reading: Reading,
  from: Place,
  order: Order,
  count: number,
): Promise<{ readonly spaces: readonly SpaceWithLevel[]; readonly next: Place | undefined }> {
  const { rows, next } = await nextRows(reading, WITH_LEVEL, from, order, count);
  const spaces = rows.map(([, key, text, omitted, parent, level, teams]) => {
    const space = spaceOf(key, text, omitted);
    const own = {
      content: contentKey("space", space.id),
      parent: parent === null ? undefined : decodeContent(parent),
      defaultLevel: decodeDefaultLevel(level),
    };
    return { ...space, level: own, teams };
  });
  return { spaces, next };
}

function spaceOf(key: string, text: string, omitted: number): SpaceRow {
  return { id: spaceOfKey(key), key, document: { text, omitted } };
}
