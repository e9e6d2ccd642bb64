import { limit } from "../../sets/limit.ts";
import { type ContentKey, idOf } from "../../domain/content.ts";
import { holds } from "../schema/as-of.ts";
import { decodeContent, INHERIT } from "../schema/encoding.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { Turns } from "../turns.ts";

export interface Descendant {
  readonly content: ContentKey;
  readonly title: string;
  /** The position of a space; `null` for a collection. */
  readonly position: number | null;
}

type Row = [content: string, title: string, level: number, position: number | null];

/** Reads the contents directly in the given collections, from table `catalog`. */
const CHILDREN = statement<Row>(
  ({ texts }) => `
    SELECT c.id, c.title, c.level, c.position
      FROM ${texts("$3", "wanted")} CROSS JOIN catalog k CROSS JOIN content c
      WHERE ${holds("k")} AND k.list = 'in/' || wanted.value AND ${holds("c")} AND c.id = k.thing`,
);

/** The number of collections that one statement reads. Other work of the process gets a turn after each statement. */
const TOGETHER = limit("below.together", 16);

/**
 * All contents in a collection at any depth, in batches. With `inheriting`, only those that inherit from the
 * collection.
 */
export async function* descend(
  reading: Reading,
  collection: ContentKey,
  inheriting: boolean,
): AsyncGenerator<Descendant[]> {
  const left = [idOf(collection)];
  const turns = new Turns();
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
    await turns.give();
  }
}
