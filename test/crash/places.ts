import { SEED } from "../setup/seed.ts";

/** The number of calls before which the program is killed; `npm run test:long` tries all. */
const SAMPLED = 3;

/**
 * Some calls of a run, evenly spread from an offset that the seed decides, and the last two. All calls with
 * TEST_EVERY_CALL.
 */
export function placesIn(calls: number): number[] {
  const all = Array.from({ length: calls - 1 }, (_, index) => index + 1);
  if (process.env.TEST_EVERY_CALL !== undefined) return all;
  const step = Math.ceil(calls / SAMPLED);
  const offset = (SEED ?? Math.floor(Math.random() * step)) % step;
  return all.filter((call) => call % step === offset || call >= calls - 2);
}
