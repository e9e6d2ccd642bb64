/** Where the members, teams, contents and sites that changes name are, in a model and in the next one. */
import { compareIds } from "../domain/id.ts";
import { type ContentKey, contentKey } from "../domain/content.ts";
import type { JsonObject } from "../domain/json.ts";
import { type ContentDocument, contentIn, keyOfRecord, type RecordChange } from "../domain/record-change.ts";
import { findContent, keyOf, type Model } from "./model.ts";
import { ABSENT, merged, nextOf, type Numbering, permuted, unmoved } from "./numbering.ts";
import { firstFrom } from "./texts.ts";
import { depthFirst, type Tree } from "./tree.ts";

export interface Place {
  /** The number in the model; of what is new, that of the first one behind it, if their order is that of ids. */
  readonly was: number;
  /** The number in the next model, or {@link ABSENT}. */
  readonly now: number;
  readonly isNew: boolean;
}

export interface Places {
  readonly numbering: Numbering;
  readonly came: ReadonlyMap<string, Place>;
  /** Where something is that a change names. Throws if neither model has it. */
  readonly of: (change: RecordChange) => Place;
}

/** A change that does not fit a model says which record does not, and why. */
export function unfit(change: RecordChange, why: string): Error {
  return new Error(
    `The change of ${JSON.stringify(keyOfRecord(change).trimEnd())} does not fit the model: ${why}.`,
  );
}

/** How things of one kind are named, and found in the model. */
interface Naming<Id extends string> {
  readonly idOf: (change: RecordChange) => Id;
  readonly find: (id: Id) => number | undefined;
}

function placesIn<Id extends string>(
  { idOf, find }: Naming<Id>,
  numbering: Numbering,
  came: ReadonlyMap<string, Place>,
): Places {
  const of = (change: RecordChange): Place => {
    const id = idOf(change);
    const found = came.get(id);
    if (found !== undefined) return found;
    const was = find(id);
    if (was === undefined) throw unfit(change, "it names what is not there");
    return { was, now: nextOf(numbering, was), isNew: false };
  };
  return { numbering, came, of };
}

/** What comes and goes among things in the order of their ids: `first` is the number of the first from an id on. */
export function placesById(
  count: number,
  changes: readonly RecordChange[],
  naming: Naming<string>,
  first: (id: string) => number,
): Places {
  const { ids, numbering } = comingAndGoing(count, changes, naming, first);
  const came = new Map(
    ids.map(({ id, place }, at) => [id, { was: place, now: numbering.came[at] ?? ABSENT, isNew: true }]),
  );
  return placesIn(naming, numbering, came);
}

function comingAndGoing<Id extends string>(
  count: number,
  changes: readonly RecordChange[],
  { idOf, find }: Naming<Id>,
  first: (id: Id) => number,
) {
  const gone: number[] = [];
  const ids: { readonly id: Id; readonly place: number }[] = [];
  for (const change of changes) {
    const id = idOf(change);
    const there = find(id);
    if ((there === undefined) !== (change.was === undefined))
      throw unfit(change, there === undefined ? "there is none" : "it is there already");
    if (there === undefined) ids.push({ id, place: first(id) });
    else if (change.becomes === undefined) gone.push(there);
  }
  gone.sort((a, b) => a - b);
  ids.sort((a, b) => compareIds(a.id, b.id));
  const places = ids.map(({ place }) => place);
  return { ids, numbering: merged(count, gone, places) };
}

/** A changed space or collection with what it becomes. */
export interface ChangedContent {
  readonly change: RecordChange;
  readonly key: ContentKey;
  readonly fields: (ContentDocument & JsonObject) | undefined;
}

export function changedContent(change: RecordChange): ChangedContent {
  const fields: ChangedContent["fields"] =
    change.becomes === undefined ? undefined : JSON.parse(change.becomes);
  return { change, key: contentIn(change), fields };
}

/** Contents, and their tree if they are numbered anew. */
export function* placesOfContents(
  model: Model,
  changes: readonly ChangedContent[],
): Generator<void, Places & { readonly tree: Tree | undefined }> {
  const { count, keys, byKey, parents } = model.contents;
  const find = (key: ContentKey) => findContent(model, key);
  const naming = { idOf: contentIn, find };
  const isSameTree = ({ change, key, fields }: ChangedContent) => {
    const there = find(key);
    if (change.was === undefined || there === undefined || fields === undefined) return false;
    const parent = parents[there] ?? ABSENT;
    return parent === ABSENT ? fields.parent === undefined : keyOf(model, parent) === keyOfParent(fields);
  };
  if (changes.every(isSameTree)) return { ...placesIn(naming, unmoved(count), new Map()), tree: undefined };

  // First their places in the order of keys, then the depth-first order.
  const rankOf = new Uint32Array(count);
  for (const [rank, x] of byKey.entries()) rankOf[x] = rank;
  const { ids, numbering: ranks } = comingAndGoing(
    count,
    changes.map(({ change }) => change),
    { idOf: contentIn, find: (key) => rankOf[find(key) ?? count] },
    (key) => firstFrom(keys, key, byKey),
  );
  const ranksOfNew = new Map(ids.map(({ id }, at) => [id, ranks.came[at] ?? ABSENT]));
  const nextRank = (x: number) => (x === ABSENT ? ABSENT : nextOf(ranks, rankOf[x] ?? 0));
  const nextRankOf = (key: ContentKey) => ranksOfNew.get(key) ?? nextRank(find(key) ?? ABSENT);
  yield;
  const parentRanks = new Int32Array(ranks.count).fill(ABSENT);
  for (let x = 0; x < count; x++) {
    const rank = nextRank(x);
    if (rank !== ABSENT) parentRanks[rank] = nextRank(parents[x] ?? ABSENT);
  }
  for (const { change, key, fields } of changes) {
    if (fields === undefined) continue;
    const parent = fields.parent === undefined ? ABSENT : nextRankOf(keyOfParent(fields));
    if (fields.parent !== undefined && parent === ABSENT) throw unfit(change, "there is no such parent");
    parentRanks[nextRankOf(key)] = parent;
  }
  yield;
  const tree = yield* depthFirst(parentRanks);
  const was = new Int32Array(ranks.count).fill(ABSENT);
  for (let x = 0; x < count; x++) {
    const rank = nextRank(x);
    if (rank !== ABSENT) was[tree.byKey[rank] ?? 0] = x;
  }
  const came = new Map(
    Array.from(ranksOfNew, ([key, rank]) => [
      key,
      { was: ABSENT, now: tree.byKey[rank] ?? ABSENT, isNew: true },
    ]),
  );
  return { ...placesIn(naming, permuted(was, count), came), tree };
}

function keyOfParent({ parent = "" }: ContentDocument): ContentKey {
  return contentKey("collection", parent);
}
