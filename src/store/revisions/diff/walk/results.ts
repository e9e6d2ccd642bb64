import type { Results } from "../../../../sets/difference.ts";
import { fold } from "../../../../sets/fold.ts";
import type { LevelFolds } from "../../../folds/level-folds.ts";
import { blankFold, type QueryLadder } from "../../../folds/steps.ts";
import type { ChunkSlots } from "../../../sets/set-store.ts";

/**
 * The roles at one revision, as slots by rank. They include organization admins if the content was added or removed.
 */
export function resultsOf(
  ladder: QueryLadder | undefined,
  sets: ChunkSlots,
  folds: LevelFolds,
  isWhole: boolean,
): Results {
  if (ladder === undefined) return [];
  if (!isWhole) return folds.of(ladder)?.results ?? [];
  const all = blankFold();
  fold(ladder.steps, sets, all);
  return all.results;
}
