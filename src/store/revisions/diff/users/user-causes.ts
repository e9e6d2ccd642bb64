import type { AccessChanges } from "../log/access-changes.ts";
import { causesOf, climb } from "../log/causes.ts";
import type { ChangedRecord } from "../log/log.ts";
import { inTime, type Sides } from "../contents/forest.ts";
import type { TwoTrees, UserOfBoth } from "./two-trees.ts";

/**
 * Returns a function that finds the causes of a user's difference on a content, by the content's index. Call
 * `ContentTree.learn` on both trees first.
 */
export function userCauses(
  sides: Sides,
  trees: TwoTrees,
  changes: AccessChanges,
  { id: user, had, has }: UserOfBoth,
): (index: number) => readonly ChangedRecord[] {
  const [before, after] = [had && trees.before.laddersFor(had), has && trees.after.laddersFor(has)];
  const [ownBefore, ownAfter] = [had && trees.before.ownRanksOf(had), has && trees.after.ownRanksOf(has)];
  const known = new Map<number, readonly ChangedRecord[]>();
  const find = (index: number): readonly ChangedRecord[] => {
    const found = known.get(index);
    if (found !== undefined) return found;
    const [then, now] = trees.numbersOf(index);
    const isGiven = (ownBefore?.[then] ?? 0) + (ownAfter?.[now] ?? 0) > 0;
    // Where nothing is given to the user, the causes are those of the content from which this one inherits.
    const parent = isGiven ? undefined : trees.parentOf(index);
    const causes = parent === undefined ? decide(index, then, now) : find(parent);
    known.set(index, causes);
    return causes;
  };
  const decide = (index: number, then: number, now: number): readonly ChangedRecord[] => {
    const content = trees.keys[index];
    if (content === undefined) return [];
    const climbed = inTime(sides, climb(before?.(then), had), climb(after?.(now), has));
    return causesOf(changes, { user, content }, ...climbed);
  };
  return find;
}
