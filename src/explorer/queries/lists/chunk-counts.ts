/** Counts the roles in each chunk. The counts tell the length of a list, and the chunk that has its nth row. */
import { rank, type Role, ROLES } from "../../../domain/role.ts";
import { positionAt } from "../../../sets/position.ts";
import { addAll, countSlots, noSlots } from "../../../sets/words.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import { membersAt } from "../../../store/directory/rows/member-rows.ts";
import { spacesAt } from "../../../store/directory/rows/space-rows.ts";
import { Turns } from "../../../store/turns.ts";
import type { AccessQuery } from "../../../store/listings/access-query/query.ts";
import type { Reading } from "../../../store/reading.ts";
import { MEMBERS } from "../../../store/schema/set-names.ts";
import { chunksOf, type Order, slotOrderOf } from "../../../store/sets/chunks.ts";

/** The largest number of chunks per read, and of sets times chunks: a read of more would take longer than a turn. */
const MOST_CHUNKS = 16;
const MOST_CONTAINERS = 512;

/** `counts` has the number of slots with each role, weakest role first. Chunks without any are absent. */
interface CountedChunk {
  readonly chunk: number;
  readonly counts: Uint16Array;
}

export interface ChunkCounts {
  readonly totals: Readonly<Record<Role, number>>;
  readonly chunks: readonly CountedChunk[];
}

const KIND: CacheKind<ChunkCounts> = {
  name: "chunk-counts",
  bytes: ({ chunks }) => 200 + 200 * chunks.length,
};

/** The counts are cached; `name` identifies the query within the revision. */
export function chunkCountsOf(reading: Reading, name: string, query: AccessQuery): Promise<ChunkCounts> {
  return reading.cache.once(KIND, reading.at, name, async () => {
    const totals = { read: 0, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
    const chunks: CountedChunk[] = [];
    const opened = await query.sets.open(reading);
    const turns = new Turns();
    const all = (await chunksOf(reading, query.universe)).map(({ number }) => number);
    const wanted = all.filter((chunk) => query.has(opened, chunk));
    const size = Math.max(1, Math.min(MOST_CHUNKS, Math.floor(MOST_CONTAINERS / query.sets.size)));
    for (let at = 0; at < wanted.length; at += size) {
      const together = wanted.slice(at, at + size);
      for (const [place, slots] of (await query.read(reading, opened, together)).entries()) {
        const { results } = query.fold(slots);
        const counts = Uint16Array.from(ROLES, (role) => countSlots(results[rank(role)] ?? noSlots()));
        if (counts.some((count) => count > 0)) chunks.push({ chunk: together[place] ?? 0, counts });
        for (const [index, role] of ROLES.entries()) totals[role] += counts[index] ?? 0;
      }
      await turns.give();
    }
    return { totals, chunks };
  });
}

/**
 * The key of the row with number `row`, which counts from 0, among the rows with the given roles, in key order;
 * `undefined` after the last row.
 */
export async function keyAt(
  reading: Reading,
  query: AccessQuery,
  { chunks }: ChunkCounts,
  roles: readonly Role[],
  row: number,
  order: Order,
): Promise<string | undefined> {
  let left = row;
  for (const { chunk, counts } of order === "asc" ? chunks : chunks.toReversed()) {
    const here = roles.reduce((sum, role) => sum + (counts[ROLES.indexOf(role)] ?? 0), 0);
    if (left < here) return keyIn(reading, query, chunk, roles, left, order);
    left -= here;
  }
  return undefined;
}

async function keyIn(
  reading: Reading,
  query: AccessQuery,
  chunk: number,
  roles: readonly Role[],
  row: number,
  order: Order,
): Promise<string | undefined> {
  const [slots = []] = await query.read(reading, await query.sets.open(reading), [chunk]);
  const { results } = query.fold(slots);
  const found = noSlots();
  for (const role of roles) addAll(found, results[rank(role)]);
  const inOrder = (await slotOrderOf(reading, query.universe, chunk)).within(found, undefined, order);
  const position = positionAt(chunk, inOrder.drop(row).next().value ?? 0);
  if (query.universe === MEMBERS) return (await membersAt(reading, [position])).get(position)?.[1];
  return (await spacesAt(reading, [position])).get(position)?.key;
}
