import { SEED } from "../seed/seed.ts";

/** The number of calls to try; `npm run test:long` tries all of them. */
const SAMPLED = 3;

/** Some calls of a run, evenly spread by the seed, and the last two; or all calls. */
export function placesIn(calls: number): number[] {
  const all = Array.from({ length: calls - 1 }, (_, index) => index + 1);
  if (process.env.TEST_EVERY_CALL !== undefined) return all;
  const step = Math.ceil(calls / SAMPLED);
  const offset = (SEED ?? Math.floor(Math.random() * step)) % step;
  return all.filter((call) => call % step === offset || call >= calls - 2);
}
