/** Lists of contents: those with a setting that a review begins with, and those in a collection. */
import { contentKey } from "../../domain/content.ts";
import { rank } from "../../domain/role.ts";
import { isAmong } from "../../model/lists.ts";
import { derivedInTurns, findContent, INHERIT, keyOf, type Model, NOTHING } from "../../model/model.ts";
import { numbersMatching } from "../../model/names.ts";
import { byCreation, deletedPlaces } from "../../model/spaces.ts";
import { type ByTitle, childrenByTitle, childrenIn, contentsByTitle } from "../../model/titles.ts";
import { queryOf } from "../../domain/search.ts";
import { modelOf } from "../../store/models.ts";
import { workInTurns } from "../../store/turns.ts";
import type { ContentRow, SETTINGS } from "../wire/lists.ts";
import { type Filter, isFiltering } from "./query.ts";
import { type ListOpener, openOrdered } from "./list.ts";
import { newThings } from "./newcomers.ts";
import { contentRow, numberOf } from "./nodes.ts";
import { sees, type View, viewOf } from "./viewer.ts";

/** The contents that are closed, broad or deleted: collections before spaces, each kind by title. */
export function contentsWith(setting: LevelSetting, filter: Filter): ListOpener<ContentRow> {
  return async (reading, viewer) => {
    const view = await viewOf(reading, viewer);
    const { model } = view;
    const all = (await workInTurns(contentsBySetting(model)))[setting];
    // A content is new in this list if it got the setting after that time, even if the content is older.
    const added = await newThings(reading, filter.since, setting, async ({ before }) => {
      const earlier = await modelOf(before);
      const then = new Set(
        Array.from((await workInTurns(contentsBySetting(earlier)))[setting], (x) => keyOf(earlier, x)),
      );
      return Array.from(all, (x) => keyOf(model, x)).filter((key) => !then.has(key));
    });
    const isKept = await keptBy(model, { ...filter, deleted: undefined });
    const { keyOf: titleKey } = await workInTurns(contentsByTitle(model));
    const kept = all.filter((x) => added?.has(keyOf(model, x)) !== false && isKept(x));
    return openOrdered({ entries: kept, keyOf: titleKey, isCounted: true }, (x) => contentRow(view, x));
  };
}

/** The contents directly in a collection: collections before spaces, each kind by title. */
export function contentsIn(collection: string, filter: Filter): ListOpener<ContentRow> {
  return async (reading, viewer) => {
    const view = await viewOf(reading, viewer);
    const { model } = view;
    const at = numberOf(model, { kind: "collection", id: collection });
    if (at === undefined) return undefined;
    const isKept = await keptBy(model, filter);
    const added = await newThings(reading, filter.since, `in ${collection}`, async ({ before, after }) => {
      const [then, now] = [
        keysIn(await modelOf(before), collection),
        keysIn(await modelOf(after), collection),
      ];
      return [...now].filter((key) => !then.has(key));
    });
    const { order, keyOf: titleKey } = await contentsAt(view, at);
    const kept = order.filter((x) => added?.has(keyOf(model, x)) !== false && isKept(x));
    return openOrdered({ entries: kept, keyOf: titleKey, isCounted: !isFiltering(filter) }, (x) =>
      contentRow(view, x),
    );
  };
}

function keysIn(model: Model, collection: string): Set<string> {
  const at = findContent(model, contentKey("collection", collection));
  const found = new Set<string>();
  const { ends } = model.contents;
  if (at !== undefined)
    for (let x = at + 1; x < (ends[at] ?? 0); x = ends[x] ?? x + 1) found.add(keyOf(model, x));
  return found;
}

/**
 * The contents that a viewer sees directly in a collection, or at the top level: collections before spaces, each kind
 * by title, then id. The top level also has visible contents of collections that the viewer does not see.
 */
export async function contentsAt(view: View, collection: number | undefined): Promise<ByTitle> {
  const { model, viewer } = view;
  const all = await workInTurns(contentsByTitle(model));
  if (collection !== undefined || viewer.all) {
    const children = childrenIn(await workInTurns(childrenByTitle(model)), collection);
    return { ...all, order: viewer.all ? children : children.filter((x) => sees(view, x)) };
  }
  const isAtTop = (x: number): boolean => {
    const parent = model.contents.parents[x] ?? -1;
    return sees(view, x) && (parent < 0 || !sees(view, parent));
  };
  return { ...all, order: all.order.filter(isAtTop) };
}

/** Tests whether a content passes the filters `q` and `deleted`. */
export async function keptBy(model: Model, { q, deleted }: Filter): Promise<(content: number) => boolean> {
  const named = q === "" ? undefined : await workInTurns(numbersMatching(model, "content", queryOf(q)));
  const isDeleted = deleted === undefined ? undefined : await workInTurns(deletionIn(model));
  return (content) =>
    (named === undefined || isAmong(named, content)) &&
    (isDeleted === undefined || isDeleted(content) === (deleted === "only"));
}

/** Tests whether a content is a deleted space. */
function* deletionIn(model: Model): Generator<void, (content: number) => boolean> {
  const deleted = yield* deletedPlaces(model);
  const { places } = byCreation(model);
  return (content) => model.contents.isSpace[content] === 1 && isAmong(deleted, places[content] ?? 0);
}

type LevelSetting = (typeof SETTINGS)[number];

/** The weakest default level that counts as broad. */
const BROAD = rank("edit");

type BySetting = Readonly<Record<LevelSetting, Uint32Array>>;

/** The contents with each setting: collections before spaces, each kind by title. */
export const contentsBySetting = derivedInTurns(["collection", "space"], function* (model) {
  const { order } = yield* contentsByTitle(model);
  const { levels, isSpace } = model.contents;
  const isDeleted = yield* deletionIn(model);
  const found: BySetting = {
    closed: order.filter((x) => levels[x] === NOTHING),
    broad: order.filter((x) => (levels[x] ?? INHERIT) !== INHERIT && (levels[x] ?? 0) >= BROAD),
    deleted: order.filter(isDeleted),
    spaces: order.filter((x) => isSpace[x] === 1),
    collections: order.filter((x) => isSpace[x] === 0),
  };
  return found;
});
