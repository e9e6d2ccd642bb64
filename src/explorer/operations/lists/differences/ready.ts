import { setTimeout as wait } from "node:timers/promises";

/**
 * The result of `work`, or `undefined` if `work` takes longer than `milliseconds`; `work` then continues. Throws the
 * error of `work`.
 */
export async function readyWithin<Result>(
  work: Promise<Result>,
  milliseconds: number,
): Promise<Result | undefined> {
  const stop = new AbortController();
  const late = wait(milliseconds, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
  }
}
