/** Contents, sites and teams by title, then id. Sort keys are those of `domain/title-key.ts`. */
import { compareIds } from "../domain/id.ts";
import { contentTitleKeyOfTidied, titleKeyOfTidied } from "../domain/title-key.ts";
import type { Lists } from "./lists.ts";
import { derivedInTurns, keyOf, type Model } from "./model.ts";
import { type Kind, namesAt, namesOf } from "./names.ts";
import { sortedInTurns } from "./order.ts";

/** Everything of a kind in order. */
export interface ByTitle {
  readonly order: Uint32Array;
  readonly keyOf: (number: number) => string;
}

type Titled = Exclude<Kind, "member">;

function* byTitle(model: Model, kind: Titled, count: number): Generator<void, ByTitle> {
  const names = yield* namesOf[kind](model);
  const titleKey = (number: number): string => {
    const [tidied = ""] = namesAt(names, number);
    if (kind === "content") return contentTitleKeyOfTidied(keyOf(model, number), tidied);
    return titleKeyOfTidied(tidied, model[kind === "site" ? "sites" : "teams"].ids[number] ?? "");
  };
  const keys: string[] = [];
  for (let number = 0; number < count; number++) {
    keys.push(titleKey(number));
    if (number % KEYS_A_TURN === KEYS_A_TURN - 1) yield;
  }
  const order = yield* sortedInTurns(Uint32Array.from(keys.keys()), (a, b) =>
    compareIds(keys[a] ?? "", keys[b] ?? ""),
  );
  return { order, keyOf: titleKey };
}

/** How many keys are made until others get a turn: a millisecond or two. */
const KEYS_A_TURN = 1_000;

/** Collections come before spaces. */
export const contentsByTitle = derivedInTurns(["collection", "space"], (model) =>
  byTitle(model, "content", model.contents.count),
);
export const sitesByTitle = derivedInTurns(["site"], (model) => byTitle(model, "site", model.sites.count));
export const teamsByTitle = derivedInTurns(["team"], (model) => byTitle(model, "team", model.teams.count));

/** The contents directly in each collection by title; those at the top are the first list, those in `x` list `x + 1`. */
export const childrenByTitle = derivedInTurns(["collection", "space"], function* (model) {
  const { order } = yield* contentsByTitle(model);
  const { count, parents } = model.contents;
  const at = new Uint32Array(count + 2);
  for (const parent of parents) at[parent + 2] = (at[parent + 2] ?? 0) + 1;
  for (let list = 0; list <= count; list++) at[list + 1] = (at[list + 1] ?? 0) + (at[list] ?? 0);
  const entries = new Uint32Array(count);
  const filled = at.slice();
  for (const x of order) {
    const list = (parents[x] ?? -1) + 1;
    const place = filled[list] ?? 0;
    entries[place] = x;
    filled[list] = place + 1;
  }
  const lists: Lists = { at, entries };
  return lists;
});

/** The contents directly in a collection, or at the top, in the order of {@link childrenByTitle}. */
export function childrenIn({ at, entries }: Lists, collection: number | undefined): Uint32Array {
  const list = (collection ?? -1) + 1;
  return entries.subarray(at[list], at[list + 1]);
}
