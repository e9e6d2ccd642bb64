import { type ContentKey, contentKey } from "../../../domain/content.ts";
import { chunkOf, slotOf } from "../../../sets/position.ts";
import { addSlot, noSlots, type Words } from "../../../sets/words.ts";
import { holds } from "../../../store/schema/as-of.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import { descend } from "../../../store/tree/descend.ts";
import { statement } from "../../../store/engine/engine.ts";
import type { Reading } from "../../../store/reading.ts";
import { spacesOfSite } from "../../../store/directory/sites.ts";

/** The slots of some spaces, by chunk number. */
export type SpaceSet = ReadonlyMap<number, Words>;

const NAMED = statement<[position: number]>(
  ({ texts }) => `
    SELECT c.position FROM ${texts("$3", "wanted")} CROSS JOIN content c
      WHERE ${holds("c")} AND c.id = wanted.value AND c.position IS NOT NULL`,
);

const KIND: CacheKind<SpaceSet> = { name: "scope", bytes: ({ size }) => 600 * size };

/** All spaces of a site, or below a collection at any depth; `undefined` if the site does not exist. */
export async function spacesIn(
  reading: Reading,
  { kind, id }: { readonly kind: "collection" | "site"; readonly id: string },
): Promise<SpaceSet | undefined> {
  if (kind === "collection") {
    const key = contentKey("collection", id);
    return reading.cache.once(KIND, reading.at, key, async () => {
      const positions: number[] = [];
      for await (const some of descend(reading, key, false)) {
        for (const { position } of some) if (position !== null) positions.push(position);
      }
      return setOf(positions);
    });
  }
  const spaces: readonly ContentKey[] | undefined = await spacesOfSite(reading, id);
  const rows = spaces && (await reading.read(NAMED, ...reading.asOf, spaces));
  return rows && setOf(rows.map(([position]) => position));
}

function setOf(positions: readonly number[]): SpaceSet {
  const found = new Map<number, Words>();
  for (const position of positions) {
    const words = found.get(chunkOf(position)) ?? noSlots();
    found.set(chunkOf(position), words);
    addSlot(words, slotOf(position));
  }
  return found;
}
