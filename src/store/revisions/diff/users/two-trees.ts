/** Compares one user's roles on all contents of two revisions. */
import type { ContentKey } from "../../../../domain/content.ts";
import type { Member } from "../../../directory/members.ts";
import type { Direction } from "../../../../domain/difference.ts";
import type { Sides } from "../contents/forest.ts";
import { type DifferenceFilter, keptDirection } from "../filter.ts";
import { ContentTree } from "./content-tree.ts";

/** A user at both revisions; `undefined` where the user is not a member. */
export interface UserOfBoth {
  readonly id: string;
  readonly had: Member | undefined;
  readonly has: Member | undefined;
}

/** The contents of two revisions. An index refers to `keys`. */
export class TwoTrees {
  readonly before: ContentTree;
  readonly after: ContentTree;
  /** The contents of the later revision by their numbers, then those that only the earlier revision has. */
  readonly keys: readonly ContentKey[];
  /** The number at the earlier revision, by index; -1 if the content does not exist there. */
  readonly #had: Int32Array;

  constructor(before: ContentTree, after: ContentTree) {
    this.before = before;
    this.after = after;
    const gone = before.keys.filter((key) => after.numberOf(key) === undefined);
    this.keys = [...after.keys, ...gone];
    this.#had = Int32Array.from(this.keys, (key) => before.numberOf(key) ?? -1);
  }

  static async of({ before, after }: Sides): Promise<TwoTrees> {
    return new TwoTrees(await ContentTree.of(before), await ContentTree.of(after));
  }

  /** The numbers of a content at both revisions; -1 where the content does not exist. */
  numbersOf(index: number): [before: number, after: number] {
    return [this.#had[index] ?? -1, index < this.after.keys.length ? index : -1];
  }

  /** The index of the content from which a content inherits at both revisions; `undefined` if there is none. */
  parentOf(index: number): number | undefined {
    const [then, now] = this.numbersOf(index).map((number, side) =>
      number < 0 ? undefined : (side === 0 ? this.before : this.after).parentOf(number),
    );
    return now !== undefined && then !== undefined && this.#had[now] === then ? now : undefined;
  }

  /**
   * Reports the indexes of the contents on which a user's role differs. Call {@link ContentTree.learn} on both trees
   * first.
   */
  compare(
    { had, has }: UserOfBoth,
    filter: DifferenceFilter,
    report: (index: number, direction: Direction) => void,
  ): void {
    const old = had === undefined ? undefined : this.before.ranksOf(had);
    const now = has === undefined ? undefined : this.after.ranksOf(has);
    const isGuest = had?.role === null || has?.role === null;
    for (let index = 0; index < this.#had.length; index++) {
      // The number is -1, and so out of range, if the content does not exist at the earlier revision.
      const was = old?.[this.#had[index] ?? -1] ?? 0;
      const becomes = now?.[index] ?? 0;
      if (was === becomes) continue;
      const direction = keptDirection(filter, was, becomes, isGuest);
      if (direction !== undefined) report(index, direction);
    }
  }
}
