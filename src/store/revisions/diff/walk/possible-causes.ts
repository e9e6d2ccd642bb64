/** Finds the changed records that may have caused a difference in a chunk, on a root and on the branches below it. */
import { addAll, addSlot, hasSlot, noSlots, type Words } from "../../../../sets/words.ts";
import type { ChunkSlots } from "../../../sets/set-store.ts";
import type { ChangedRecord } from "../log/log.ts";
import type { Found } from "./found.ts";
import type { OwnSlots } from "./own-slots.ts";
import type { Candidate, RootFold } from "./plan.ts";

/** A changed record, and the members of a chunk whom the record affects on a root or on a branch below it. */
export interface PossibleCause {
  readonly record: ChangedRecord;
  /** One slot, or a set of slots. */
  readonly whom: number | Words;
}

/** The sets of a chunk at both revisions, and its differing slots. */
interface CauseSides {
  readonly chunk: number;
  readonly had: ChunkSlots;
  readonly has: ChunkSlots;
  readonly found: Found;
  /** The slots for which a permission on the root itself decides at the later revision. */
  readonly own: OwnSlots;
}

/**
 * The candidates of a root, each with the members of the chunk whom it may affect, possibly none. Leaves out a record of
 * one user who is in another chunk or for whom the root itself decides.
 */
export function possibleCausesOf(fold: RootFold, sides: CauseSides): PossibleCause[] {
  return fold.candidates.flatMap((each) => possibleCauseOf(each, fold, sides) ?? []);
}

function possibleCauseOf(
  { record, at, team, user }: Candidate,
  fold: RootFold,
  { chunk, had, has, found, own }: CauseSides,
): PossibleCause | undefined {
  const isOwn = at === fold.content;
  // A change above the content, or of its default level, does not affect members for whom a permission on the content
  // decides.
  if (user !== undefined) {
    if (user.chunk !== chunk || (!isOwn && hasSlot(own.words, user.slot))) return undefined;
    return { record, whom: user.slot };
  }
  const isWhole = fold.before === undefined || fold.after === undefined;
  const whom = noSlots();
  const [before, after] = team === undefined ? [] : [had[team.before ?? -1], has[team.after ?? -1]];
  for (const index of whom.keys()) {
    const passing = (found.all[index] ?? 0) & (isWhole ? -1 : ~(own.words[index] ?? 0));
    const members = (before?.[index] ?? 0) | (after?.[index] ?? 0);
    whom[index] = team === undefined ? passing : isOwn ? members : members & passing;
  }
  return { record, whom };
}

/** The slots that at least one of the changed records affects. */
export function concernedBy(possibleCauses: readonly PossibleCause[]): Words {
  const all = noSlots();
  for (const { whom } of possibleCauses) {
    if (typeof whom === "number") addSlot(all, whom);
    else addAll(all, whom);
  }
  return all;
}

/** Whether a changed record affects a slot in `all` that is not in `without`. */
export function concerns({ whom }: PossibleCause, all: Words, without?: Words): boolean {
  if (typeof whom === "number") {
    return hasSlot(all, whom) && (without === undefined || !hasSlot(without, whom));
  }
  for (let index = 0; index < all.length; index++) {
    if (((all[index] ?? 0) & (whom[index] ?? 0) & ~(without?.[index] ?? 0)) !== 0) return true;
  }
  return false;
}
