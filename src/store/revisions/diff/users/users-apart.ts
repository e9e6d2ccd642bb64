/** Compares single users on all contents, such as those who joined or left. */
import type { ContentKey } from "../../../../domain/content.ts";
import type { Direction } from "../../../../domain/difference.ts";
import type { DifferenceFilter } from "../filter.ts";
import type { Sides } from "../contents/forest.ts";
import { subjectsOf } from "./subjects.ts";
import { TwoTrees, type UserOfBoth } from "./two-trees.ts";
import { inBlocks, inTurns } from "../../../turns.ts";

const BLOCK = 500;

/** Receives the index in {@link TwoTrees} of a content on which a user differs. */
type Report = (index: number, direction: Direction) => void;

export interface ComparableUser extends UserOfBoth {
  compare(report: Report): void;
}

export class UsersApart {
  readonly sides: Sides;
  readonly #filter: DifferenceFilter;
  #trees: Promise<TwoTrees> | undefined;

  constructor(sides: Sides, filter: DifferenceFilter) {
    this.sides = sides;
    this.#filter = filter;
  }

  trees(): Promise<TwoTrees> {
    return (this.#trees ??= TwoTrees.of(this.sides));
  }

  /** The contents on which the given users differ, by user id. With `among`, only those contents. */
  async contentsOf(
    ids: readonly string[],
    among?: ReadonlySet<ContentKey>,
  ): Promise<ReadonlyMap<string, readonly ContentKey[]>> {
    const found = new Map<string, ContentKey[]>(ids.map((id) => [id, []]));
    for await (const { id, compare } of this.of(ids)) {
      const { keys } = await this.trees();
      const own = found.get(id);
      compare((index) => {
        const key = keys[index];
        if (key !== undefined && (among?.has(key) ?? true)) own?.push(key);
      });
    }
    return found;
  }

  /** The users with the given ids, in this order. */
  async *of(ids: readonly string[]): AsyncGenerator<ComparableUser> {
    if (ids.length === 0) return;
    const { before, after } = this.sides;
    const trees = await this.trees();
    for await (const block of inBlocks(ids, BLOCK)) {
      const [old, now] = [await subjectsOf(before, block), await subjectsOf(after, block)];
      for await (const id of inTurns(block)) {
        const user = { id, had: old.get(id), has: now.get(id) };
        // Reads the grants user by user. The teams of a whole block may have hundreds of thousands of grants, and
        // reading them at once would delay other requests.
        await trees.before.learn(user.had === undefined ? [] : [user.had]);
        await trees.after.learn(user.has === undefined ? [] : [user.has]);
        yield { ...user, compare: (report) => trees.compare(user, this.#filter, report) };
      }
    }
  }
}
