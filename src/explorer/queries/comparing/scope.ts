import { type ContentKey, contentKey } from "../../../domain/content.ts";
import { chunkOf, slotOf } from "../../../sets/position.ts";
import { addAll, addSlot, keepOnly, noSlots, removeAll, type Words } from "../../../sets/words.ts";
import { holds } from "../../../store/schema/as-of.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import { descend } from "../../../store/directory/below.ts";
import { statement } from "../../../store/engine/engine.ts";
import type { Reading } from "../../../store/reading.ts";
import { SPACES } from "../../../store/schema/set-names.ts";
import { chunksOf } from "../../../store/sets/chunks.ts";
import { deletedSpaces } from "../filters/deleted-spaces.ts";
import type { Presence } from "../filters/filter.ts";
import { named } from "../filters/named.ts";
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

/** The spaces of a scope that pass a filter; without a scope, all of these. `undefined` without a scope and a filter. */
export async function narrowedScope(
  reading: Reading,
  scope: SpaceSet | undefined,
  q: string,
  deleted: Presence | undefined,
): Promise<SpaceSet | undefined> {
  let found = scope;
  if (q !== "") found = among(found, setOf((await named(reading, SPACES, q))?.positions ?? []), true);
  if (deleted !== undefined) {
    const { positions } = (await deletedSpaces(reading)).head;
    const all = found ?? (await everySpace(reading));
    found = among(all, setOf(positions), deleted === "only");
  }
  return found;
}

/** The spaces of a set that are in another one, or that are not. */
function among(set: SpaceSet | undefined, other: SpaceSet, isIn: boolean): SpaceSet {
  if (set === undefined) return other;
  const found = new Map<number, Words>();
  for (const [chunk, words] of set) {
    const some = noSlots();
    addAll(some, words);
    const others = other.get(chunk);
    found.set(chunk, isIn ? keepOnly(some, others) : removeAll(some, others));
  }
  return found;
}

/** All spaces of a revision. */
async function everySpace(reading: Reading): Promise<SpaceSet> {
  const chunks = await chunksOf(reading, SPACES);
  return new Map(chunks.map(({ number }) => [number, noSlots().fill(-1)]));
}

function setOf(positions: Iterable<number>): SpaceSet {
  const found = new Map<number, Words>();
  for (const position of positions) {
    const words = found.get(chunkOf(position)) ?? noSlots();
    found.set(chunkOf(position), words);
    addSlot(words, slotOf(position));
  }
  return found;
}
