import { setImmediate as breath } from "node:timers/promises";
import { ABOVE_ALL } from "../domain/order.ts";
import { statement } from "./engine.ts";
import type { Reading } from "./reading.ts";
import type { Posting } from "./target.ts";

/** Members behind `after`, up to `upTo` and with it. */
export interface Slice {
  readonly after: string;
  readonly upTo: string;
}

/** So many entries of the largest list are worked on before others get their turn: one to some milliseconds. */
const ENTRIES = 4096;

const EDGE = statement<[member: string]>(
  () => `
    SELECT member FROM posting WHERE snapshot = $1 AND source = $2 AND member > $3
      ORDER BY member LIMIT 1 OFFSET $4`,
);

/**
 * Cuts the members behind `after` into slices, in order, for work that goes through whole lists: other requests are
 * served between them. No slice holds more of any of the lists than of the largest one that goes on. One slice where
 * the database is another machine, since nobody waits for its work here.
 */
export async function* slices(
  reading: Reading,
  lists: readonly Posting[],
  after: string,
  entries = ENTRIES,
): AsyncGenerator<Slice> {
  let from = after;
  const long = reading.distant ? [] : lists.filter(({ size }) => size >= entries);
  for (const { key } of long.sort((a, b) => b.size - a.size)) {
    for (;;) {
      const [edge] = await reading.read(EDGE, reading.snapshot, key, from, entries - 1);
      if (edge === undefined) break;
      yield { after: from, upTo: edge[0] };
      [from] = edge;
      await breath();
    }
  }
  yield { after: from, upTo: ABOVE_ALL };
}
