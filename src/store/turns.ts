/** Divides long work into turns, so that a server answers other requests in between. */

/** The maximum length of a turn, in milliseconds. */
const TURN = 1;

const waiting: (() => void)[] = [];

/**
 * Waits until the event loop has answered others. Only one of all waiting works goes on in each iteration of the loop:
 * if all did, other requests would wait for a turn of each.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/** How long statements of a local database follow one another before others get a turn, in milliseconds. */
const STATEMENTS = 5;

/** When the first statement of this iteration of the event loop began. */
let statementsSince: number | undefined;

/**
 * Whether others get a turn before the next statement of a local database: awaiting a statement that ran at once lets
 * nobody in between, so a request of many statements would hold everybody up.
 */
export function isLongSinceOthers(): boolean {
  const now = performance.now();
  if (statementsSince === undefined) {
    statementsSince = now;
    setImmediate(() => (statementsSince = undefined));
  }
  return now - statementsSince >= STATEMENTS;
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

const BLOCK = 1_000;

/** Sorts, and yields to the event loop after each turn. Equal items keep their order. */
export async function sortedInTurns<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<Item[]> {
  let runs: Item[][] = [];
  for await (const block of inBlocks(items, BLOCK)) runs.push(block.toSorted(compare));
  const turns = new Turns();
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [one = [], other = []] = runs.slice(at, at + 2);
      const both: Item[] = [];
      for (let [left, right] = [0, 0]; left < one.length || right < other.length;) {
        const [a, b] = [one[left], other[right]];
        const isLeft = b === undefined || (a !== undefined && compare(a, b) <= 0);
        const next = isLeft ? a : b;
        if (next !== undefined) both.push(next);
        if (isLeft) left++;
        else right++;
        if (both.length % BLOCK === 0) await turns.give();
      }
      merged.push(both);
    }
    runs = merged;
  }
  return runs[0] ?? [];
}
