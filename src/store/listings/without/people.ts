import type { ContentKey } from "../../../domain/content.ts";
import type { Effect } from "../../../domain/explanation/effect.ts";
import type { Without } from "../../../domain/without.ts";
import { addDifference, noDifference } from "../../../sets/difference.ts";
import { type AccessDifference, added, countsIn, inTurns } from "../difference-of.ts";
import type { Reading } from "../../reading.ts";
import { differenceWithout } from "./difference.ts";
import { setOn } from "./source.ts";

/** The number of people whom a source concerns, as far as they are counted, and the progress of the count. */
export interface CountedPeople {
  readonly counts: Effect;
  /** The number of counted chunks, and of all chunks. */
  readonly done: number;
  readonly of: number;
}

/** Contents whose differences are cached during the count. */
const AT_HAND = 256;

/**
 * How many people lose access somewhere without a source, fall, rise or gain, each counted once, whatever the number of
 * contents; who loses on one content and falls on another is counted in both. Nothing further down adds anybody: there
 * are the same people less those who are given something there. Chunks from `from` on are looked at for as long as
 * `budget` milliseconds, at least one of them.
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
  for await (const { number } of inTurns(chunks.slice(from))) {
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
