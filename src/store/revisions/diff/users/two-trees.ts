/** Compares one user's roles on all contents of two revisions. */
import type { ContentKey } from "../../../../domain/content.ts";
import type { Member } from "../../../directory/members.ts";
import type { Direction } from "../../../listings/access-query/difference-of.ts";
import type { Sides } from "../contents/forest.ts";
import { type DifferenceFilter, keptDirection } from "../filter.ts";
import { ContentTree } from "./reached.ts";

/** A user at both revisions; absent where they are not a member. */
export interface UserOfBoth {
  readonly id: string;
  readonly had: Member | undefined;
  readonly has: Member | undefined;
}

/** The contents of two revisions. A place is an index in `keys`. */
export class TwoTrees {
  readonly before: ContentTree;
  readonly after: ContentTree;
  /** The contents of the later side by their numbers, then those that only the earlier side has. */
  readonly keys: readonly ContentKey[];
  /** For each place, the content's number on the earlier side; -1 if that side does not have the content. */
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

  /** Whether a content is on both sides. */
  isOnBoth(place: number): boolean {
    return place < this.after.keys.length && (this.#had[place] ?? -1) >= 0;
  }

  /** The number of the content on the earlier side; -1 if that side does not have it. */
  numberBefore(place: number): number {
    return this.#had[place] ?? -1;
  }

  /** The place of a content; `undefined` if neither side has it. */
  placeOf(key: ContentKey): number | undefined {
    return this.after.numberOf(key) ?? this.#gone.get(key);
  }

  /** Reports each place on which a user's role differs. Call {@link ContentTree.learn} for the user's teams before. */
  compare(
    { had, has }: UserOfBoth,
    filter: DifferenceFilter,
    report: (place: number, direction: Direction) => void,
  ): void {
    const old = had === undefined ? undefined : this.before.ranksOf(had);
    const now = has === undefined ? undefined : this.after.ranksOf(has);
    const isGuest = had?.role === null || has?.role === null;
    for (let place = 0; place < this.#had.length; place++) {
      // If one side does not have the content, the index is out of range, for example -1.
      const was = old?.[this.#had[place] ?? -1] ?? 0;
      const becomes = now?.[place] ?? 0;
      if (was === becomes) continue;
      const direction = keptDirection(filter, was, becomes, isGuest);
      if (direction !== undefined) report(place, direction);
    }
  }
}
