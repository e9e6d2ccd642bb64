import { type ContentKey, contentKey } from "../../domain/content.ts";
import { chunkOf, slotOf } from "../../sets/position.ts";
import { addSlot, noSlots, type Words } from "../../sets/words.ts";
import { holds } from "../as-of.ts";
import type { CacheKind } from "../cache.ts";
import { statement } from "../engine.ts";
import type { Reading } from "../reading.ts";
import { spacesOfSite } from "../sites.ts";

/** Some spaces, by chunk. */
export type SpaceSet = ReadonlyMap<number, Words>;

/** The spaces anywhere in collection `$3`. `catalog` has what lies in each collection. */
const INSIDE = statement<[position: number]>(
  () => `
    WITH RECURSIVE down (id) AS (
      SELECT k.thing FROM catalog k
        WHERE ${holds("k")} AND k.list = 'in/' || substr($3, length('collection/') + 1)
      UNION ALL
      SELECT k.thing FROM down CROSS JOIN catalog k
        WHERE down.id < 'space/'
          AND ${holds("k")} AND k.list = 'in/' || substr(down.id, length('collection/') + 1)
    )
    SELECT c.position FROM down CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = down.id AND c.position IS NOT NULL`,
);

const NAMED = statement<[position: number]>(
  ({ texts }) => `
    SELECT c.position FROM ${texts("$3", "wanted")} CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = wanted.value AND c.position IS NOT NULL`,
);

const KIND: CacheKind<SpaceSet> = { name: "scope", bytes: ({ size }) => 600 * size };

/** The spaces anywhere in a collection, or of a site; `undefined` where the site does not exist. */
export async function spacesIn(
  reading: Reading,
  { kind, id }: { readonly kind: "collection" | "site"; readonly id: string },
): Promise<SpaceSet | undefined> {
  if (kind === "collection") {
    const key = contentKey("collection", id);
    return reading.cache.once(KIND, reading.at, key, async () =>
      setOf(await reading.read(INSIDE, ...reading.asOf, key)),
    );
  }
  const spaces: readonly ContentKey[] | undefined = await spacesOfSite(reading, id);
  return spaces && setOf(await reading.read(NAMED, ...reading.asOf, spaces));
}

function setOf(rows: readonly [position: number][]): SpaceSet {
  const found = new Map<number, Words>();
  for (const [position] of rows) {
    const words = found.get(chunkOf(position)) ?? noSlots();
    found.set(chunkOf(position), words);
    addSlot(words, slotOf(position));
  }
  return found;
}
