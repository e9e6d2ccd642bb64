import type { ContentKey } from "../../domain/content.ts";
import type { Without } from "../../domain/without.ts";
import { holds } from "../as-of.ts";
import type { CacheKind } from "../cache.ts";
import { byPosition, placeOf } from "../catalog.ts";
import { decodeContent, INHERIT } from "../codes.ts";
import { statement } from "../engine.ts";
import { contents } from "../levels.ts";
import type { Reading } from "../reading.ts";
import { setOn } from "./source.ts";

/** A content by title. */
export interface Inheriting {
  readonly content: ContentKey;
  /** Its place in lists by title. */
  readonly position: string;
}

/** What inherits from collection `$3` without a break. `catalog` has what lies in each collection. */
const DOWN = statement<[content: string, title: string]>(
  () => `
    WITH RECURSIVE down (id, title) AS (
      SELECT c.id, c.title FROM catalog k CROSS JOIN content c
        WHERE ${holds("k")} AND k.list = 'in/' || substr($3, length('collection/') + 1)
          AND ${holds("c")} AND c.id = k.thing AND c.level = ${INHERIT}
      UNION ALL
      SELECT c.id, c.title FROM down CROSS JOIN catalog k CROSS JOIN content c
        WHERE down.id < 'space/'
          AND ${holds("k")} AND k.list = 'in/' || substr(down.id, length('collection/') + 1)
          AND ${holds("c")} AND c.id = k.thing AND c.level = ${INHERIT}
    )
    SELECT id, title FROM down`,
);

const KIND: CacheKind<readonly Inheriting[]> = {
  name: "inheriting",
  bytes: (found) =>
    found.reduce((sum, { content, position }) => sum + 100 + 2 * (content.length + position.length), 0),
};

/**
 * The contents that inherit from a content, directly or through others: collections before spaces, each by title, then
 * id. None inherits from a space.
 */
async function inheritingFrom(reading: Reading, key: ContentKey): Promise<readonly Inheriting[]> {
  if (!key.startsWith("collection/")) return [];
  return reading.cache.once(KIND, reading.at, key, async () => {
    const rows = await reading.read(DOWN, ...reading.asOf, key);
    return rows
      .map(([id, title]) => {
        const content = decodeContent(id);
        return { content, position: placeOf(content, title) };
      })
      .sort(byPosition);
  });
}

/** Every content on which a source has a say: those that it is set on, and what inherits from them; each once, by title. */
export async function concernedBy(reading: Reading, without: Without): Promise<readonly Inheriting[]> {
  const roots = await setOn(reading, without);
  const loaded = await contents(reading, roots);
  const found = new Map<ContentKey, Inheriting>();
  for (const root of roots) {
    found.set(root, { content: root, position: placeOf(root, loaded.get(root)?.title ?? "") });
    for (const below of await inheritingFrom(reading, root)) found.set(below.content, below);
  }
  return [...found.values()].sort(byPosition);
}
