/** Divides long work into turns, so that a server answers other requests in between. */

/** The maximum length of a turn, in milliseconds. */
const TURN = 1;

const waiting: (() => void)[] = [];

/**
 * Waits until the event loop has answered others. Only one of all waiting works goes on in each iteration of the loop:
 * if all did, other requests would wait for a turn of each.
 */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/** Lets long work yield to the event loop. */
export class Turns {
  #begun = performance.now();

  /** Yields if the turn has been long enough. Call it after each step of the work. */
  async give(): Promise<void> {
    if (performance.now() - this.#begun < TURN) return;
    await yieldToEventLoop();
    this.#begun = performance.now();
  }
}

/** Iterates, and yields to the event loop after each turn. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  const turns = new Turns();
  for (const item of items) {
    yield item;
    await turns.give();
  }
}

/** Iterates over the items in blocks of `size`, and yields to the event loop after each turn. */
export async function* inBlocks<Item>(items: readonly Item[], size: number): AsyncGenerator<readonly Item[]> {
  const count = Math.ceil(items.length / size);
  const blocks = Array.from({ length: count }, (_, block) => items.slice(block * size, (block + 1) * size));
  yield* inTurns(blocks);
}
