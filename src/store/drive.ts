import { type Facts, nextMembers } from "./candidates.ts";
import type { Plan } from "./plan.ts";
import type { Reading } from "./reading.ts";

/** The plan for content that ordinary members may see: takes every member in turn. */
export function drive(reading: Reading, facts: Facts): Plan {
  return async (after, size) => {
    const candidates = await nextMembers(reading, after, size, facts);
    return { candidates, upTo: candidates.length < size ? undefined : candidates.at(-1)?.id };
  };
}
