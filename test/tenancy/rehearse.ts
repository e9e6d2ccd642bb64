import * as fc from "fast-check";
import { PUBLIC_URL } from "../world.ts";
import { play, type StatusCounts } from "./play.ts";
import { type Scene, scenes } from "./scene.ts";
import type { Theatre } from "./theatre.ts";

/** Plays random scenes, each with new servers. Throws on the first wrong answer, with its seed. */
export async function rehearse(
  open: () => Promise<Theatre>,
  runs: number,
  callers?: number,
): Promise<StatusCounts> {
  const total: StatusCounts = new Map();
  const scene = scenes({ min: 8, max: 16 });
  const played = fc.asyncProperty(scene, async (each: Scene) => {
    await using theatre = await open();
    for (const [status, count] of await play(each, theatre.world, theatre.servers, PUBLIC_URL, callers)) {
      total.set(status, (total.get(status) ?? 0) + count);
    }
  });
  // Failures depend on timing, so a smaller scene would not fail in the same way.
  const { failed, seed, counterexamplePath, errorInstance } = await fc.check(played, {
    numRuns: runs,
    endOnFailure: true,
  });
  if (failed)
    throw new Error(`seed ${seed}, path ${counterexamplePath}: ${String(errorInstance)}`, {
      cause: errorInstance,
    });
  return total;
}
