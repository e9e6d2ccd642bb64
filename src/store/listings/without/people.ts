import { limit } from "../../../sets/limit.ts";
import type { ContentKey } from "../../../domain/content.ts";
import type { Effect } from "../../../domain/difference.ts";
import type { Without } from "../../../domain/without.ts";
import { addDifference, noDifference } from "../../../sets/difference.ts";
import { type AccessDifference, added, countsIn } from "../difference.ts";
import type { Reading } from "../../reading.ts";
import { differenceWithout } from "./difference.ts";
import { setOn } from "./source.ts";
import { inTurns } from "../../turns.ts";

/** The number of affected people so far, and the progress of the count. */
export interface CountedPeople {
  readonly counts: Effect;
  /** The number of counted chunks. `of` is the number of all chunks. */
  readonly done: number;
  readonly of: number;
}

/** The maximum number of contents whose differences are kept in memory during the count. */
const AT_HAND = limit("without.people-at-hand", 256);

/**
 * Counts the people who lose access, get a lower or higher role, or gain access on some content if a source is removed.
 * A person counts once per direction. Compares only the contents on which the source is set, because contents that
 * inherit from them affect no further people. Counts chunks from index `from` on, until `budget` milliseconds have
 * passed, and at least one chunk.
 */
export async function peopleWithout(
  reading: Reading,
  without: Without,
  from: number,
  budget: number,
): Promise<CountedPeople> {
  const roots = await setOn(reading, without);
  const first = roots[0] && (await differenceWithout(reading, roots[0], without));
  const chunks = (await first?.chunks()) ?? [];
  const atHand = new Map<ContentKey, AccessDifference>();
  const begun = performance.now();
  let counts: Effect = { lost: 0, lowered: 0, raised: 0, gained: 0 };
  let done = from;
  for await (const number of inTurns(chunks.slice(from))) {
    const all = noDifference();
    for await (const root of inTurns(roots)) {
      const known = atHand.get(root) ?? (await differenceWithout(reading, root, without));
      if (known === undefined) continue;
      if (atHand.size < AT_HAND) atHand.set(root, known);
      await known.at(number, ({ directions }) => addDifference(all, directions));
    }
    counts = added(counts, countsIn(all));
    done++;
    if (performance.now() - begun > budget) break;
  }
  return { counts, done, of: chunks.length };
}
