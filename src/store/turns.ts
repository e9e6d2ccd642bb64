/** Divides long work into turns, so that a server answers other requests in between. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";

/** The time after which work yields to the event loop, in milliseconds. */
const TURN = 1;

/** Lets long work yield to the event loop. */
export class Turns {
  #begun = performance.now();

  /** Call it after each step of the work. */
  async give(): Promise<void> {
    if (performance.now() - this.#begun < TURN) return;
    await yieldToEventLoop();
    this.#begun = performance.now();
  }
}

/** Iterates, and yields to the event loop now and then. */
export async function* inTurns<Thing>(things: Iterable<Thing>): AsyncGenerator<Thing> {
  const turns = new Turns();
  for (const thing of things) {
    yield thing;
    await turns.give();
  }
}

/** Iterates over the given things in blocks, and yields to the event loop now and then. */
export async function* inBlocks<Thing>(
  things: readonly Thing[],
  size: number,
): AsyncGenerator<readonly Thing[]> {
  const count = Math.ceil(things.length / size);
  const blocks = Array.from({ length: count }, (_, block) => things.slice(block * size, (block + 1) * size));
  yield* inTurns(blocks);
}
