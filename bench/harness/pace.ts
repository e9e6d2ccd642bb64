import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "./capture.ts";
import type { Server } from "./server.ts";

/** The time between two requests, in milliseconds. */
const EVERY = 10;

/**
 * Sends a request every {@link EVERY} ms until `over` resolves, without waiting for answers. Returns the time of each
 * request in ms, from when it was due to its last byte, so that a stalled server does not get fewer requests. Throws
 * unless all answers are 200.
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
