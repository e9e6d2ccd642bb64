/** Reads the containers and heads of sets from the database. */
import { limit } from "../../sets/limit.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, type Universe } from "../schema/set-names.ts";
import { type ContainerRow, HEADS } from "./container-row.ts";

/**
 * SQL: the container of a set in a chunk as of the revision, or null. Reads one row, because a set may have very many
 * rows of other revisions.
 */
function containerOf(universe: string, chunk: string, name: string): string {
  return `(
    SELECT CASE WHEN c.since <= $2 THEN c.bits END FROM container c
      WHERE c.generation = $1 AND c.universe = ${universe} AND c.chunk = ${chunk} AND c.name = ${name} AND c.until > $2
      ORDER BY c.until LIMIT 1)`;
}

/** SQL: the heads of sets of members. `names` is a FROM item with the names as `name.value`. */
export function heads(names: string): string {
  return `SELECT ${HEADS}, name.value, ${containerOf(`${MEMBERS}`, `${HEADS}`, "name.value")} FROM ${names}`;
}

/** The containers of sets `$5` in chunks `$4`; null for a set without slots in a chunk. */
export const CONTAINERS = statement<ContainerRow>(
  ({ texts, numbers }) => `
    SELECT chunk.value, name.value, ${containerOf("$3", "chunk.value", "name.value")}
      FROM ${numbers("$4", "chunk")} CROSS JOIN ${texts("$5", "name")}`,
);

/** Of fewer sets than this, each container is a row of its own: joining so few takes longer than it saves. */
const FEW = limit("containers.few", 16);

/**
 * The containers that {@link CONTAINERS} finds, as one row: their chunks, names and sizes in bytes as one text, and all
 * bytes. One row per container takes longer (docs/decisions/0005-set-algebra.md has the figures).
 */
export const JOINED = statement<[listed: string | null, bits: Uint8Array | null]>(
  ({ texts, numbers, joinedBytes }) => `
    SELECT string_agg(read.chunk || ' ' || read.name || ' ' || length(read.bits), ' '), ${joinedBytes("read.bits")}
      FROM (
        SELECT chunk.value AS chunk, name.value AS name, ${containerOf("$3", "chunk.value", "name.value")} AS bits
          FROM ${numbers("$4", "chunk")} CROSS JOIN ${texts("$5", "name")}
          LIMIT $6) read
      WHERE read.bits IS NOT NULL`,
);

/** The containers of the given sets in the given chunks. */
export async function containersIn(
  reading: Reading,
  universe: Universe,
  chunks: readonly number[],
  names: readonly string[],
): Promise<readonly ContainerRow[]> {
  const wanted = [...reading.asOf, universe, chunks, names] as const;
  const count = chunks.length * names.length;
  // On a remote database, one row for all containers saves no time.
  if (reading.remote || names.length < FEW) return reading.read(CONTAINERS, ...wanted);
  const [[listed = null, bits = null] = []] = await reading.read(JOINED, ...wanted, count);
  if (listed === null || bits === null) return [];
  const words = listed.split(" ");
  const rows: ContainerRow[] = [];
  let from = 0;
  for (let at = 0; at < words.length; at += 3) {
    const to = from + Number(words[at + 2]);
    rows.push([Number(words[at]), words[at + 1] ?? "", bits.subarray(from, to)]);
    from = to;
  }
  reading.rows += rows.length - 1;
  return rows;
}
