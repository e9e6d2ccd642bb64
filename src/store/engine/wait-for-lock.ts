import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../domain/error.ts";

/** How often what another process holds is asked for again, in milliseconds. */
const LOOK = 100;

/** How long a command waits for its turn where nobody says otherwise, in milliseconds (contract, section 8). */
export const PATIENCE = 10 * 60_000;

/**
 * What `take` gets, tried until it gets something. `waiting` is called once when another one has to be awaited. Throws a
 * CommandError when that takes longer than `patience`, in milliseconds.
 */
export async function inTurn<T>(
  take: () => T | undefined | Promise<T | undefined>,
  waiting: () => void,
  patience = PATIENCE,
): Promise<T> {
  const until = performance.now() + patience;
  for (let told = false; ; told = true) {
    const taken = await take();
    if (taken !== undefined) return taken;
    const left = until - performance.now();
    if (left <= 0) {
      throw new CommandError(
        `Another import or change has been running for ${patience / 1000} s; nothing was changed. Wait longer with --wait, such as --wait 1h.`,
      );
    }
    if (!told) waiting();
    await sleep(Math.min(LOOK, left));
  }
}
