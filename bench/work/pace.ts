import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../server/capture.ts";
import type { Server } from "../server/server.ts";

/** Milliseconds between two requests. */
export const EVERY = 10;

/**
 * Requests pages at a steady pace until `over` resolves, without waiting for answers. Returns the milliseconds from the
 * time each request was due to its last byte, so a stalling server does not get fewer requests. Throws unless all
 * answers are 200.
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

/** A quantile of `values`; `part` is from 0 to 1. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  if (value === undefined) throw new RangeError("a quantile of no values");
  return value;
}
