/** Finds the chunks of new keys. */
import { positionAt, SLOTS, slotOf } from "../../../../sets/position.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { readEach, statement } from "../../../engine/engine.ts";
import type { Universe } from "../../../schema/set-names.ts";
import type { Writing } from "../writing.ts";
import { type LivingChunk, openChunks } from "./open-chunks.ts";

/** Where a new key belongs: its chunk, and the slot of the next higher key there. */
export interface Room {
  readonly chunk: LivingChunk;
  /** `undefined` if no key of the chunk is higher. */
  readonly following: number | undefined;
}

/** The lowest key of the chunk of each given key. */
const LOWEST = statement<[key: string, lowest: string | null]>(
  ({ texts }) => `
    SELECT wanted.value, (
        SELECT c.lowest FROM chunk c
          WHERE c.generation = $1 AND c.universe = $2 AND c.lowest <= wanted.value AND c.until = ${FOREVER}
          ORDER BY c.lowest DESC LIMIT 1)
      FROM ${texts("$3", "wanted")}`,
);
const CHUNKS_AT = statement<
  [lowest: string, above: string | null, chunk: number, since: number, used: number, slots: Uint8Array | null]
>(
  ({ texts, lookUp }) => `
    SELECT c.lowest, (
        SELECT n.lowest FROM chunk n
          WHERE n.generation = $1 AND n.universe = $2 AND n.lowest > c.lowest AND n.until = ${FOREVER}
          ORDER BY n.lowest LIMIT 1), c.chunk, c.since, c.used, c.slots
      FROM ${lookUp(
        texts("$3", "wanted"),
        "chunk",
        "c",
        `c.generation = $1 AND c.universe = $2 AND c.lowest = wanted.value AND c.until = ${FOREVER}`,
        "chunk_of_key",
      )}`,
);
const FOLLOWING = statement<[key: string, position: number | null]>(
  ({ given }) => `
    SELECT given.a, (
        SELECT p.position FROM place p
          WHERE p.generation = $1 AND p.universe = $2 AND p.key > given.a AND p.key < given.b
            AND p.position >= given.c AND p.position < given.c + ${SLOTS}
          ORDER BY p.key LIMIT 1)
      FROM ${given(["text", "text", "number"], 3)}`,
);

/** Sorts after every key. Ids have up to 255 characters, and sort keys of spaces have 16 more. */
const BEHIND_ALL = "\u{10FFFF}".repeat(300);

/** Finds where each new key belongs. Opens the first chunk of the universe if there is none. */
export async function roomsFor(
  writing: Writing,
  universe: Universe,
  keys: readonly string[],
): Promise<Map<string, Room>> {
  if (keys.length === 0) return new Map();
  const { connection, generation } = writing;
  const lowest = new Map(await connection.read(LOWEST, generation, universe, keys));
  if (lowest.values().some((each) => each === null)) {
    await openChunks(writing, universe, [["", 0]]);
    return roomsFor(writing, universe, keys);
  }
  const wanted = [...new Set(lowest.values())];
  const rows = await connection.read(CHUNKS_AT, generation, universe, wanted);
  const chunks = new Map(
    rows.map(([low, above, number, since, used, slots]): [string, LivingChunk] => [
      low,
      { number, since, lowest: low, above: above ?? undefined, first: used, used, slots },
    ]),
  );
  const within = keys.flatMap((key) => {
    const chunk = chunks.get(lowest.get(key) ?? "");
    return chunk === undefined ? [] : [{ key, chunk }];
  });
  const following = new Map(
    await readEach(
      connection,
      FOLLOWING,
      [generation, universe],
      within.map(({ key, chunk: { above, number } }) => [key, above ?? BEHIND_ALL, positionAt(number, 0)]),
    ),
  );
  return new Map(
    within.map(({ key, chunk }) => {
      const position = following.get(key) ?? undefined;
      return [key, { chunk, following: position === undefined ? undefined : slotOf(position) }];
    }),
  );
}
