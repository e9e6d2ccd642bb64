/** Divides long work into turns, so that a server answers other requests in between. */
import { AsyncLocalStorage } from "node:async_hooks";

/** The maximum length of a turn of long work, in milliseconds. */
const TURN = 1;

/** A work, and for whom it is. */
interface Work {
  readonly name: string;
  /** Called when it begins and when it ends to wait for what others need, too. */
  readonly wait?: ((isWaiting: boolean) => void) | undefined;
}

const works = new AsyncLocalStorage<Work>();

/** Begins a work for somebody. Works for others have as many turns, however many there are for the one. */
export function workFor<Result>(name: string, work: () => Result, wait?: Work["wait"]): Result {
  return works.run({ name, wait }, work);
}

/** The work that goes on; `undefined` outside of {@link workFor}. */
export function currentWork(): Work | undefined {
  return works.getStore();
}

/** The works that wait for a turn, by whom they are for. Whoever had a turn goes to the end. */
const waiting = new Map<string | undefined, (() => void)[]>();

/** When work of this iteration of the event loop began, by `performance.now()`; `undefined` before its first work. */
let begun: number | undefined;

/** Begins to measure this iteration, unless it is measured already. Returns how long its work has taken so far. */
function measured(): number {
  const now = performance.now();
  if (begun === undefined) {
    begun = now;
    setImmediate(() => (begun = undefined));
  }
  return now - begun;
}

/**
 * Whether all work of this iteration of the event loop has kept others waiting for at least `milliseconds`. A
 * statement of a local database is such work: awaiting what ran at once lets nobody in between.
 */
export function isLongTurn(milliseconds: number): boolean {
  return measured() >= milliseconds;
}

/**
 * Waits until the event loop has answered others. Only one of all waiting works goes on in each iteration of the loop:
 * if all did, other requests would wait for a turn of each. Those for whom works wait have turns one after the other.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(goOn);
    const name = works.getStore()?.name;
    const line = waiting.get(name);
    if (line === undefined) waiting.set(name, [resolve]);
    else line.push(resolve);
  });
}

function goOn(): void {
  measured();
  for (const [name, line] of waiting) {
    const next = line.shift();
    waiting.delete(name);
    if (line.length > 0) waiting.set(name, line);
    next?.();
    break;
  }
  if (waiting.size > 0) setImmediate(goOn);
}

/** Yields to the event loop if the turn has been long enough. Long work calls it after each of its steps. */
export async function giveTurn(): Promise<void> {
  if (isLongTurn(TURN)) await yieldToEventLoop();
}

/** Runs work that yields where others may have a turn. */
export async function workInTurns<Result>(work: Generator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await giveTurn();
  }
}

/** Iterates, and yields to the event loop after each turn. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  for (const item of items) {
    yield item;
    await giveTurn();
  }
}

/** Iterates over the items in blocks of `size`, and yields to the event loop after each turn. */
export async function* inBlocks<Item>(items: readonly Item[], size: number): AsyncGenerator<readonly Item[]> {
  const count = Math.ceil(items.length / size);
  const blocks = Array.from({ length: count }, (_, block) => items.slice(block * size, (block + 1) * size));
  yield* inTurns(blocks);
}

const ITEMS_PER_STEP = 1_000;

/** Sorts, and yields to the event loop after each turn. Equal items keep their order. */
export async function sortedInTurns<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<Item[]> {
  let runs: Item[][] = [];
  for await (const block of inBlocks(items, ITEMS_PER_STEP)) runs.push(block.toSorted(compare));
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
        if (both.length % ITEMS_PER_STEP === 0) await giveTurn();
      }
      merged.push(both);
    }
    runs = merged;
  }
  return runs[0] ?? [];
}
