import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../domain/error.ts";

/** The interval between attempts to take a lock, in milliseconds. */
const POLL = 100;

/** How long a command waits for a lock by default, in milliseconds (contract, section 8). */
export const PATIENCE = 10 * 60_000;

/**
 * Calls `take` until it returns a value. `waiting` is called once if another process holds the lock. Throws a
 * CommandError if the wait exceeds `patience`, in milliseconds.
 */
export async function waitForLock<T>(
  take: () => T | undefined | Promise<T | undefined>,
  waiting: () => void,
  patience = PATIENCE,
): Promise<T> {
  const until = performance.now() + patience;
  for (let announced = false; ; announced = true) {
    const taken = await take();
    if (taken !== undefined) return taken;
    const left = until - performance.now();
    if (left <= 0) {
      throw new CommandError(
        `Another import or change has been running for ${patience / 1000} s; nothing was changed. Wait longer with --wait, such as --wait 1h.`,
      );
    }
    if (!announced) waiting();
    await sleep(Math.min(POLL, left));
  }
}
