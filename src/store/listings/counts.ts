/** Counts the roles of an access, chunk by chunk. */
import { limit } from "../../sets/limit.ts";
import { rank, type Role, type RoleCounts, ROLES } from "../../domain/role.ts";
import type { CacheKind } from "../cache.ts";
import { universeIndex } from "../memory/universe.ts";
import type { Reading } from "../reading.ts";
import { giveTurn } from "../turns.ts";
import type { Access } from "./access.ts";
import { openChunk } from "./walk.ts";

/** `counts` has the number of entries with each rank. Chunks without any are absent. */
interface CountedChunk {
  readonly number: number;
  readonly counts: Uint16Array;
}

export interface ChunkCounts {
  readonly totals: RoleCounts;
  readonly chunks: readonly CountedChunk[];
}

const KIND: CacheKind<ChunkCounts> = {
  name: "chunk-counts",
  bytes: ({ chunks }) => 200 + 200 * chunks.length,
};

/** How many chunks are loaded together: one wait for a remote database. */
const CHUNKS_AT_ONCE = limit("counts.together", 8);

/** The counts are cached; `name` identifies the access within the revision. */
export function chunkCountsOf(reading: Reading, name: string, access: Access): Promise<ChunkCounts> {
  return reading.cache.once(KIND, reading.at, name, async () => {
    const index = await universeIndex(reading, access.universe);
    const numbers = index.chunks.filter((number) => access.mayHave(number));
    const sums = new Float64Array(ROLES.length + 1);
    const chunks: CountedChunk[] = [];
    for (let at = 0; at < numbers.length; at += CHUNKS_AT_ONCE) {
      const together = numbers.slice(at, at + CHUNKS_AT_ONCE);
      const open = await Promise.all(together.map((number) => openChunk(reading, access, index, number)));
      for (const { chunk, apart } of open) {
        const counts = new Uint16Array(ROLES.length + 1);
        const part = { from: 0, to: chunk.bytes.length };
        const { codes, slots } = access.paint(chunk, part, apart);
        const painted = slots?.length ?? part.to;
        for (let at = 0; at < painted; at++) {
          const held = access.ranks[codes[at] ?? 0] ?? 0;
          counts[held] = (counts[held] ?? 0) + 1;
        }
        counts[0] = 0;
        if (counts.some((count) => count > 0)) chunks.push({ number: chunk.number, counts });
        for (const [held, count] of counts.entries()) sums[held] = (sums[held] ?? 0) + count;
        await giveTurn();
      }
    }
    const of = (role: Role) => sums[rank(role)] ?? 0;
    const totals = {
      read: of("read"),
      comment: of("comment"),
      edit: of("edit"),
      review: of("review"),
      create: of("create"),
      admin: of("admin"),
    };
    return { totals, chunks };
  });
}

/** The number of entries with each role. `name` identifies the access within the revision. */
export async function roleCounts(reading: Reading, name: string, access: Access): Promise<RoleCounts> {
  return (await chunkCountsOf(reading, name, access)).totals;
}
