/** Compares single users on all contents: those who joined or left, or whose organization role changed. */
import type { ContentKey } from "../../../../domain/content.ts";
import { type Direction } from "../../../listings/access-query/difference-of.ts";
import { type DifferenceFilter, keptDirection } from "../filter.ts";
import type { Sides } from "../contents/forest.ts";
import { ContentTree } from "./reached.ts";
import { subjectsOf } from "./subjects.ts";
import { inTurns } from "../../../turns.ts";

export class UsersApart {
  readonly #sides: Sides;
  readonly #filter: DifferenceFilter;
  #trees: Promise<{ readonly before: ContentTree; readonly after: ContentTree }> | undefined;

  constructor(sides: Sides, filter: DifferenceFilter) {
    this.#sides = sides;
    this.#filter = filter;
  }

  /** By user, the contents with a difference: all, or only the requested ones. */
  async contentsOf(
    ids: readonly string[],
    among?: ReadonlySet<ContentKey>,
  ): Promise<ReadonlyMap<string, readonly ContentKey[]>> {
    const found = new Map<string, ContentKey[]>(ids.map((id) => [id, []]));
    await this.compare(ids, (id, key) => {
      if (among?.has(key) ?? true) found.get(id)?.push(key);
    });
    return found;
  }

  /** Reports each user's differences: on the contents of the later side, then on the removed ones. */
  async compare(
    ids: readonly string[],
    report: (id: string, key: ContentKey, direction: Direction) => void,
  ): Promise<void> {
    if (ids.length === 0) return;
    const { before, after } = await (this.#trees ??= this.#treesOf());
    const had = await subjectsOf(this.#sides.before, ids);
    const has = await subjectsOf(this.#sides.after, ids);
    await before.learn(had.values());
    await after.learn(has.values());
    const gone = before.keys.filter((key) => after.numberOf(key) === undefined);
    for await (const id of inTurns(ids)) {
      const [old, now] = [had.get(id), has.get(id)];
      const oldRanks = old === undefined ? undefined : before.ranksOf(old);
      const nowRanks = now === undefined ? undefined : after.ranksOf(now);
      const isGuest = old?.role === null || now?.role === null;
      const compare = (key: ContentKey, place: number | undefined) => {
        const was = oldRanks?.[before.numberOf(key) ?? -1] ?? 0;
        const becomes = nowRanks?.[place ?? -1] ?? 0;
        const direction = keptDirection(this.#filter, was, becomes, isGuest);
        if (direction !== undefined) report(id, key, direction);
      };
      for (const [place, key] of after.keys.entries()) compare(key, place);
      for (const key of gone) compare(key, undefined);
    }
  }

  async #treesOf() {
    return {
      before: await ContentTree.of(this.#sides.before),
      after: await ContentTree.of(this.#sides.after),
    };
  }
}
