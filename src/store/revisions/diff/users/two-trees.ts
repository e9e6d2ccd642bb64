/** Compares one user's roles on all contents of two revisions. */
import type { ContentKey } from "../../../../domain/content.ts";
import type { Member } from "../../../directory/members.ts";
import type { Direction } from "../../../listings/access-query/difference-of.ts";
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
  readonly #gone: ReadonlyMap<ContentKey, number>;

  constructor(before: ContentTree, after: ContentTree) {
    this.before = before;
    this.after = after;
    const gone = before.keys.filter((key) => after.numberOf(key) === undefined);
    this.keys = [...after.keys, ...gone];
    this.#gone = new Map(gone.map((key, index) => [key, after.keys.length + index]));
    this.#had = Int32Array.from(this.keys, (key) => before.numberOf(key) ?? -1);
  }

  static async of({ before, after }: Sides): Promise<TwoTrees> {
    return new TwoTrees(await ContentTree.of(before), await ContentTree.of(after));
  }

  isOnBoth(index: number): boolean {
    return index < this.after.keys.length && (this.#had[index] ?? -1) >= 0;
  }

  /** The number of the content at the earlier revision; -1 if the content does not exist there. */
  numberBefore(index: number): number {
    return this.#had[index] ?? -1;
  }

  /** The index of a content; `undefined` if the content exists at neither revision. */
  indexOf(key: ContentKey): number | undefined {
    return this.after.numberOf(key) ?? this.#gone.get(key);
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
