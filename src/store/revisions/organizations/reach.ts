/**
 * Finds organizations that cannot be read, because the node of a distributed database with their rows is unreachable.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Engine, statement } from "../../engine/engine.ts";
import type { Revision } from "../../reading.ts";

const ANYTHING = statement<[one: number]>(() => "SELECT 1 FROM chunk WHERE generation = $1 LIMIT 1");

/** The number of organizations that are read at the same time, and the time limit for each, in milliseconds. */
const TOGETHER = 4;
const PATIENCE = 1000;

/** The ids of the organizations whose rows cannot be read now. */
export async function unreachable(
  engine: Pick<Engine, "read">,
  organizations: readonly Pick<Revision, "organization" | "generation">[],
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  const left = organizations.values();
  const tryEach = async () => {
    for (const { organization, generation } of left) {
      const isRead = engine.read(ANYTHING, generation).then(
        () => true,
        () => false,
      );
      if (!(await Promise.race([isRead, sleep(PATIENCE, false, { ref: false })]))) lost.add(organization);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, tryEach));
  return lost;
}
