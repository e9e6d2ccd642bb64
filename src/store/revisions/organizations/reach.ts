/**
 * Finds organizations that cannot be read, because the node of a distributed database with their rows is unreachable.
 */
import type { Engine } from "../../engine/engine.ts";
import type { Revision } from "../../reading.ts";

/** The number of organizations that are read at the same time. */
const TOGETHER = 32;

/** The ids of the organizations whose rows cannot be read now. */
export async function unreachable(
  engine: Pick<Engine, "answers">,
  organizations: readonly Pick<Revision, "organization" | "generation">[],
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  const left = organizations.values();
  const tryEach = async () => {
    for (const { organization, generation } of left) {
      if (!(await engine.answers(generation))) lost.add(organization);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, tryEach));
  return lost;
}
