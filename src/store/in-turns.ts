/** Divides long work into turns, so that a server answers other requests in between. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/** The time after which the work yields to the event loop, in milliseconds. */
const TURN = 4;

/** Iterates, and yields to the event loop now and then. */
export async function* inTurns<Thing>(things: Iterable<Thing>): AsyncGenerator<Thing> {
  let begun = performance.now();
  for (const thing of things) {
    yield thing;
    if (performance.now() - begun < TURN) continue;
    await yieldToEventLoop();
    begun = performance.now();
  }
}

/** Iterates over blocks of some things, and yields to the event loop now and then. */
export async function* inBlocks<Thing>(
  things: readonly Thing[],
  size: number,
): AsyncGenerator<readonly Thing[]> {
  const count = Math.ceil(things.length / size);
  const blocks = Array.from({ length: count }, (_, block) => things.slice(block * size, (block + 1) * size));
  yield* inTurns(blocks);
}
