/** Verifies that each member and each space has its own position, in the right chunk. */
import { chunkOf, SLOTS, slotOf } from "../../../../sets/position.ts";
import { compareIds } from "../../../../domain/id.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { type Staging, type Statement, statement } from "../../../engine/engine.ts";
import { MEMBERS, SPACES, type Universe } from "../../../schema/set-names.ts";
import { orderOf } from "../../../schema/slots.ts";
import { type Finding, NAMED } from "./compared.ts";

const HERE = "(SELECT stored FROM staged_organization)";

const CHUNKS = statement<[chunk: number, lowest: string, used: number, slots: Uint8Array | null]>(
  ({ stored }) => `
    SELECT c.chunk, c.lowest, c.used, c.slots FROM ${stored("chunk")} c
      WHERE c.generation = ${HERE} AND c.universe = $1 AND c.until = ${FOREVER}`,
);
const POSITIONS = {
  [MEMBERS]: positionsOf("member", MEMBERS),
  [SPACES]: positionsOf("space", SPACES),
} as const;

/** All positions by key, and whether they are current: a key also has a position in each chunk that it left. */
function positionsOf(
  table: string,
  universe: Universe,
): Statement<[key: string, position: number, isCurrent: number]> {
  return statement(
    ({ stored }) => `
      SELECT p.key, p.position, CASE WHEN EXISTS (
            SELECT 1 FROM ${stored(table)} k
              WHERE k.generation = ${HERE} AND k.position = p.position AND k.until = ${FOREVER}) THEN 1 ELSE 0 END
        FROM ${stored("place")} p
        WHERE p.generation = ${HERE} AND p.universe = ${universe} ORDER BY p.key, p.position`,
  );
}

const KEYS = {
  [MEMBERS]: keys("member", "id"),
  [SPACES]: keys("space", "key"),
} as const;

/** Finds rows at a position that the table `place` does not assign to their key, and rows in a closed chunk. */
function keys(table: string, key: string): Statement<[key: string]> {
  const universe = table === "member" ? MEMBERS : SPACES;
  return statement(
    ({ stored }) => `
      SELECT k.${key} FROM ${stored(table)} k
        WHERE k.generation = ${HERE} AND k.until = ${FOREVER}
          AND NOT EXISTS (
            SELECT 1 FROM ${stored("place")} p WHERE p.generation = ${HERE} AND p.universe = ${universe} AND p.key = k.${key}
              AND p.position = k.position)
        OR k.generation = ${HERE} AND k.until = ${FOREVER} AND k.position / ${SLOTS} NOT IN (
          SELECT c.chunk FROM ${stored("chunk")} c
            WHERE c.generation = ${HERE} AND c.universe = ${universe} AND c.until = ${FOREVER})`,
  );
}

/** The keys with a wrong position. */
export async function comparePositions(staging: Staging): Promise<Finding[]> {
  const wrong = new Set<string>();
  for (const universe of [MEMBERS, SPACES] as const) {
    for (const [key] of await staging.read(KEYS[universe])) wrong.add(key);
    for await (const key of outOfOrder(staging, universe)) wrong.add(key);
  }
  return wrong.size === 0 ? [] : [{ table: "place", rows: wrong.size, first: [...wrong].slice(0, NAMED) }];
}

/** Keys whose slots are not in key order, or that belong to another chunk. */
async function* outOfOrder(staging: Staging, universe: Universe): AsyncGenerator<string> {
  const rows = (await staging.read(CHUNKS, universe)).sort(([, a], [, b]) => compareIds(a, b));
  const chunks = new Map(
    rows.map(([chunk, lowest, used, slots], index) => {
      const ranks = new Uint16Array(SLOTS);
      for (const [rank, slot] of orderOf(slots, used).entries()) ranks[slot] = rank + 1;
      return [chunk, { lowest, upper: rows[index + 1]?.[1], ranks, last: 0 }];
    }),
  );
  for await (const [key, position, isCurrent] of staging.stream(POSITIONS[universe])) {
    const chunk = chunks.get(chunkOf(position));
    if (chunk === undefined) continue;
    const rank = chunk.ranks[slotOf(position)] ?? 0;
    if (rank <= chunk.last || (isCurrent === 1 && !isWithin(key, chunk))) yield key;
    chunk.last = rank;
  }
}

function isWithin(key: string, { lowest, upper }: { lowest: string; upper: string | undefined }): boolean {
  return compareIds(key, lowest) >= 0 && (upper === undefined || compareIds(key, upper) < 0);
}
