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

/** What has a title. */
export type Titled = Exclude<Kind, "member">;

function* keysIn(model: Model, kind: Titled): Generator<void, ByTitle["keyOf"]> {
  const names = yield* namesOf[kind](model);
  return (number) => {
    const [tidied = ""] = namesAt(names, number);
    if (kind === "content") return contentTitleKeyOfTidied(keyOf(model, number), tidied);
    return titleKeyOfTidied(tidied, model[kind === "site" ? "sites" : "teams"].ids[number] ?? "");
  };
}

/** How many keys are made until others get a turn: a millisecond or two. */
const KEYS_A_TURN = 1_000;

function* ordered(model: Model, kind: Titled, count: number): Generator<void, Uint32Array> {
  const titleKey = yield* keysIn(model, kind);
  const keys: string[] = [];
  for (let number = 0; number < count; number++) {
    keys.push(titleKey(number));
    if (number % KEYS_A_TURN === KEYS_A_TURN - 1) yield;
  }
  return yield* sortedInTurns(Uint32Array.from(keys.keys()), (a, b) =>
    compareIds(keys[a] ?? "", keys[b] ?? ""),
  );
}

/** Of orders, arrays alone are kept: a function would hold the model of which it was made. */
const orderOfContents = derivedInTurns(["collection", "space"], (model) =>
  ordered(model, "content", model.contents.count),
);
const orderOfSites = derivedInTurns(["site"], (model) => ordered(model, "site", model.sites.count));
const orderOfTeams = derivedInTurns(["team"], (model) => ordered(model, "team", model.teams.count));

/** Collections come before spaces. */
export function* contentsByTitle(model: Model): Generator<void, ByTitle> {
  return { order: yield* orderOfContents(model), keyOf: yield* keysIn(model, "content") };
}

export function* sitesByTitle(model: Model): Generator<void, ByTitle> {
  return { order: yield* orderOfSites(model), keyOf: yield* keysIn(model, "site") };
}

export function* teamsByTitle(model: Model): Generator<void, ByTitle> {
  return { order: yield* orderOfTeams(model), keyOf: yield* keysIn(model, "team") };
}

/** The contents directly in each collection by title; those at the top are the first list, those in `x` list `x + 1`. */
export const childrenByTitle = derivedInTurns(["collection", "space"], function* (model) {
  const order = yield* orderOfContents(model);
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
