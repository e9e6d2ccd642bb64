/** Sets of positions as stored: the head of a set, and its containers by chunk. */
import { countContainer } from "../../sets/container.ts";
import { EMPTY, type Head, headOf } from "../../sets/head.ts";
import { limit } from "../../sets/limit.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds } from "../schema/as-of.ts";
import type { Universe } from "../schema/set-names.ts";
import { inBlocks } from "../turns.ts";

/** The chunk number of rows with heads. */
export const HEADS = -1;

/** The container of a set in a chunk, or the head of a set if the chunk is {@link HEADS}; null if there is none. */
type ContainerRow = [chunk: number, name: string, bits: Uint8Array | null];

/**
 * SQL: the container of a set in a chunk as of the revision, or null. Reads one row, because a set may have very many
 * rows of other revisions.
 */
function containerOf(universe: string, chunk: string, name: string): string {
  return `(
    SELECT CASE WHEN k.since <= $2 THEN k.bits END FROM container k
      WHERE k.generation = $1 AND k.universe = ${universe} AND k.chunk = ${chunk} AND k.name = ${name} AND k.until > $2
      ORDER BY k.until LIMIT 1)`;
}

/** The containers of sets `$5` in chunks `$4`; null for a set without slots in a chunk. */
export const CONTAINERS = statement<ContainerRow>(
  ({ texts, numbers }) => `
    SELECT chunk.value, name.value, ${containerOf("$3", "chunk.value", "name.value")}
      FROM ${numbers("$4", "chunk")} CROSS JOIN ${texts("$5", "name")}`,
);

/** How many heads one statement reads: others wait for it. */
const HEADS_PER_READ = limit("heads.block", 1_000);

/**
 * The heads of the given sets, in the order of `names`. A set without a stored head is empty. The heads of users with a
 * direct permission are in the row of their content.
 */
export async function headsOf(
  reading: Reading,
  universe: Universe,
  names: readonly string[],
): Promise<Head[]> {
  const found = new Map<string, Head>();
  for await (const some of inBlocks(names, HEADS_PER_READ)) {
    for (const [, name, bits] of await reading.read(CONTAINERS, ...reading.asOf, universe, [HEADS], some))
      if (bits !== null) found.set(name, headOf(bits));
  }
  return names.map((name) => found.get(name) ?? EMPTY);
}

/** The containers of one set in the given chunks. */
export const OF_SET = statement<[chunk: number, bits: Uint8Array]>(
  ({ numbers, lookUp }) => `
    SELECT c.chunk, c.bits FROM ${lookUp(
      numbers("$5", "wanted"),
      "container",
      "c",
      `${holds("c")} AND c.universe = $3 AND c.chunk = wanted.value AND c.name = $4`,
    )}`,
);

/** The number of positions of a set: from the head of a small set, else counted in the containers. */
export async function sizeOf(
  reading: Reading,
  universe: Universe,
  name: string,
  head: Head,
): Promise<number> {
  if ("positions" in head) return head.positions.length;
  const rows = await reading.read(OF_SET, ...reading.asOf, universe, name, [...head.chunks]);
  return rows.reduce((sum, [, bits]) => sum + countContainer(bits), 0);
}
