import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type ContentKey, idOf } from "../../domain/content.ts";
import { holds } from "../schema/as-of.ts";
import { decodeContent, INHERIT } from "../schema/encoding.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";

/** A content that lies in a collection. */
export interface Descendant {
  readonly content: ContentKey;
  readonly title: string;
  /** Of a space. */
  readonly position: number | null;
}

type Row = [content: string, title: string, level: number, position: number | null];

/** What lies directly in some collections, as `catalog` lists it. */
const CHILDREN = statement<Row>(
  ({ texts }) => `
    SELECT c.id, c.title, c.level, c.position
      FROM ${texts("$3", "wanted")} CROSS JOIN catalog k CROSS JOIN content c
      WHERE ${holds("k")} AND k.list = 'in/' || wanted.value AND ${holds("c")} AND c.id = k.thing`,
);

/** Collections whose contents are read together, before others get their turn. */
const TOGETHER = 16;

/** Everything in a collection at any depth, some at a time; with `inheriting`, what inherits from it without a break. */
export async function* descend(
  reading: Reading,
  collection: ContentKey,
  inheriting: boolean,
): AsyncGenerator<Descendant[]> {
  const left = [idOf(collection)];
  for (let some = left.splice(0, TOGETHER); some.length > 0; some = left.splice(0, TOGETHER)) {
    const rows = await reading.read(CHILDREN, ...reading.asOf, some);
    const found: Descendant[] = [];
    for (const [id, title, level, position] of rows) {
      if (inheriting && level !== INHERIT) continue;
      const content = decodeContent(id);
      if (position === null) left.push(idOf(content));
      found.push({ content, title, position });
    }
    yield found;
    await yieldToEventLoop();
  }
}
