/** Reads the sorted lists of table `catalog`: levels of the tree, sites, and the permissions of teams. */
import type { ContentKey } from "../../../domain/content.ts";
import { statement } from "../../../store/engine/engine.ts";
import type { Reading } from "../../../store/reading.ts";
import { holds } from "../../../store/schema/as-of.ts";
import { decodeContent } from "../../../store/schema/encoding.ts";

/** An entry of a sorted list; `position` is the sort key. */
export interface Listed<Thing> {
  readonly thing: Thing;
  readonly position: string;
}

type Row = [position: string, thing: string];

const NEXT = statement<Row>(
  () => `
    SELECT c.position, c.thing FROM catalog c
      WHERE ${holds("c")} AND c.list = $3 AND c.position > $4 ORDER BY c.position LIMIT $5`,
);

/** Up to `size` entries of a list after the sort key `after`. */
export function nextListed(reading: Reading, list: string, after: string, size: number): Promise<Row[]> {
  return reading.read(NEXT, ...reading.asOf, list, after, size);
}

export function decoded([position, thing]: Row): Listed<ContentKey> {
  return { position, thing: decodeContent(thing) };
}
