import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../capture.ts";
import type { Server } from "../server.ts";

/** Milliseconds between two requests. */
export const EVERY = 10;

/**
 * Asks for pages at a steady pace, whether or not the answers have come, until `over` resolves. Gives the milliseconds
 * from when each request was due to its last byte, so a server that stalls is not asked less. Throws at any but a 200.
 */
export async function pace(
  server: Pick<Server, "url">,
  token: string,
  next: () => string,
  over: Promise<unknown>,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const waiting = new Set<Promise<void>>();
  const state = { running: true };
  let failure: unknown;
  const stop = (): void => {
    state.running = false;
  };
  over.then(stop, stop);
  for (let due = performance.now(); state.running; due += EVERY) {
    await sleep(Math.max(0, due - performance.now()));
    const from = due;
    const asked = ask(new URL(next(), server.url), token, agent).then(
      () => void times.push(performance.now() - from),
      (error: unknown) => void (failure ??= error),
    );
    waiting.add(asked);
    void asked.finally(() => waiting.delete(asked));
  }
  await Promise.all(waiting);
  agent.destroy();
  if (failure !== undefined) throw failure;
  return times;
}

/** The value below which that part (0 to 1) of `values` lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  if (value === undefined) throw new RangeError("a quantile of no values");
  return value;
}
