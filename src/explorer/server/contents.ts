/** Lists of contents: those with a setting that a review begins with, and those in a collection. */
import { type ContentKey, contentKey, kindOf } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { rank } from "../../domain/role.ts";
import type { CacheKind } from "../../store/cache.ts";
import { contents } from "../../store/directory/contents.ts";
import { statement } from "../../store/engine/engine.ts";
import type { Reading } from "../../store/reading.ts";
import { holds } from "../../store/schema/as-of.ts";
import { CLOSED, contentTitleKey, decodeContent } from "../../store/schema/encoding.ts";
import { sortedInTurns } from "../../store/turns.ts";
import type { ContentRow, SETTINGS } from "../wire/lists.ts";
import { type Listed, childrenOf, level, nextListed } from "./catalog.ts";
import { type Filter, isFiltering } from "./query.ts";
import { deletedSpaces, keeps } from "./filtered.ts";
import {
  type ListOpener,
  type Opened,
  countedByReading,
  filteredPage,
  mapped,
  matching,
  openSorted,
} from "./list.ts";
import { newThings } from "./newcomers.ts";
import { contentRows } from "./nodes.ts";
import type { Viewer } from "./viewer.ts";

/** The contents that are closed, broad or deleted: collections before spaces, each kind by title. */
export function contentsWith(setting: LevelSetting, { q, since }: Filter): ListOpener<ContentRow> {
  const isNamed = matching(q);
  return async (reading, viewer) => {
    const all = await contentsOf(reading, setting);
    // A content is new in this list if it got the setting after that time, even if the content is older.
    const added = await newThings(reading, since, setting, async ({ before }) => {
      const then = new Set((await contentsOf(before, setting)).map(({ thing }) => thing));
      return all.flatMap(({ thing }) => (then.has(thing) ? [] : thing));
    });
    const kept = all.filter(({ thing, title }) => added?.has(thing) !== false && isNamed(title));
    return openSorted(kept, async (some) => {
      const keys = some.map(({ thing }) => thing);
      const rows = await contentRows(reading, viewer, keys);
      return keys.flatMap((key) => rows.get(key) ?? []);
    });
  };
}

const CHILDREN = 1000;

/** The contents directly in a collection: collections before spaces, each kind by title. */
export function contentsIn(collection: string, filter: Filter): ListOpener<ContentRow> {
  const key = contentKey("collection", collection);
  return async (reading, viewer) => {
    if (!(await contents(reading, [key])).has(key)) return undefined;
    const isKept = await keeps(reading, filter);
    const added = await newThings(reading, filter.since, `in ${collection}`, async ({ before, after }) => {
      const then = await thingsIn(before, collection);
      return [...(await thingsIn(after, collection))].filter((thing) => !then.has(thing));
    });
    const listed = (request: PageRequest<string>) => level(reading, viewer, collection, request);
    const rowOf = (_: unknown, row: ContentRow) => row;
    if (!isFiltering(filter)) {
      const total = (await childrenOf(reading, viewer, [collection])).get(collection) ?? 0;
      return openListed(reading, viewer, listed, rowOf, undefined, total);
    }
    return openListed(
      reading,
      viewer,
      listed,
      rowOf,
      ({ thing }, { content }) => added?.has(thing) !== false && isKept(thing, content.title),
    );
  };
}

/** Opens a list of contents in the order of a catalog; with `isWanted`, only those that it accepts. */
export function openListed<Entry extends Listed<ContentKey>, Row>(
  reading: Reading,
  viewer: Viewer,
  listed: (request: PageRequest<string>) => Promise<Page<Entry, string>>,
  rowOf: (entry: Entry, row: ContentRow) => Row,
  isWanted: ((entry: Entry, row: ContentRow) => boolean) | undefined,
  total?: number,
): Opened<Row> {
  const read = async (request: PageRequest<string>) => {
    const page = await listed(request);
    const keys = page.entries.map(({ thing }) => thing);
    const rows = await contentRows(reading, viewer, keys);
    return mapped(page, (entry) => {
      const row = rows.get(entry.thing);
      return row === undefined ? [] : [{ entry, row }];
    });
  };
  const position = ({ entry }: { readonly entry: Entry }) => entry.position;
  return countedByReading(total, async (request) => {
    const page =
      isWanted === undefined
        ? await read(request)
        : await filteredPage(read, ({ entry, row }) => isWanted(entry, row), position, request);
    return mapped(page, ({ entry, row }) => [rowOf(entry, row)]);
  });
}

async function thingsIn(reading: Reading, collection: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (let after = ""; ;) {
    const rows = await nextListed(reading, `in/${collection}`, after, CHILDREN);
    for (const [, thing] of rows) found.add(thing);
    if (rows.length < CHILDREN) return found;
    after = rows.at(-1)?.[0] ?? after;
  }
}

type LevelSetting = (typeof SETTINGS)[number];

/** The weakest default level that counts as broad. */
const BROAD = rank("edit");

interface SetContent extends Listed<ContentKey> {
  readonly title: string;
}

type SetContents = Readonly<Record<(typeof COUNTED)[number], readonly SetContent[]>>;
const COUNTED = ["closed", "broad", "deleted"] as const;

type LevelRow = [id: string, title: string, level: number];
const LEVELS = statement<LevelRow>(
  () => `
    SELECT c.id, c.title, c.level FROM content c
      WHERE ${holds("c")} AND c.id > $3 AND (c.level = ${CLOSED} OR c.level >= ${BROAD}) ORDER BY c.id LIMIT $4`,
);
const ALL = statement<LevelRow>(
  () => `
    SELECT c.id, c.title, c.level FROM content c WHERE ${holds("c")} AND c.id > $3 ORDER BY c.id LIMIT $4`,
);

const CONTENTS_PER_READ = 4_000;

const KIND: CacheKind<SetContents> = {
  name: "set-contents",
  bytes: (found) => 200 * COUNTED.reduce((sum, setting) => sum + found[setting].length, 1),
};
const EVERY: CacheKind<readonly SetContent[]> = {
  name: "every-content",
  bytes: (found) => 100 + 200 * found.length,
};

async function contentsOf(reading: Reading, setting: LevelSetting): Promise<readonly SetContent[]> {
  if (setting !== "spaces" && setting !== "collections") return (await setContents(reading))[setting];
  const kind = setting === "spaces" ? "space" : "collection";
  return reading.cache.once(EVERY, reading.at, kind, async () => {
    const found: SetContent[] = [];
    for await (const [id, title] of levelsIn(reading, ALL)) {
      const thing = decodeContent(id);
      if (kindOf(thing) === kind) found.push(setContent(thing, title));
    }
    return byTitle(found);
  });
}

async function* levelsIn(reading: Reading, rowsAfter: typeof ALL): AsyncGenerator<LevelRow> {
  for (let after = ""; ;) {
    const rows = await reading.read(rowsAfter, ...reading.asOf, after, CONTENTS_PER_READ);
    yield* rows;
    if (rows.length < CONTENTS_PER_READ) return;
    after = rows.at(-1)?.[0] ?? after;
  }
}

/** The contents with each setting: collections before spaces, each kind by title. Cached per revision. */
export function setContents(reading: Reading): Promise<SetContents> {
  return reading.cache.once(KIND, reading.at, "", async () => {
    const closed: SetContent[] = [];
    const broad: SetContent[] = [];
    for await (const [id, title, level] of levelsIn(reading, LEVELS))
      (level === CLOSED ? closed : broad).push(setContent(decodeContent(id), title));
    const keys = [...(await deletedSpaces(reading)).dates.keys()].map((id) => contentKey("space", id));
    const deleted: SetContent[] = [];
    for (let start = 0; start < keys.length; start += CONTENTS_PER_READ) {
      const block = keys.slice(start, start + CONTENTS_PER_READ);
      // The result also has ancestors of the requested contents.
      const loaded = await contents(reading, block);
      for (const key of block) deleted.push(setContent(key, loaded.get(key)?.title ?? ""));
    }
    return {
      closed: await byTitle(closed),
      broad: await byTitle(broad),
      deleted: await byTitle(deleted),
    };
  });
}

function setContent(thing: ContentKey, title: string): SetContent {
  return { thing, title, position: contentTitleKey(thing, title) };
}

function byTitle(found: readonly SetContent[]): Promise<SetContent[]> {
  return sortedInTurns(found, (a, b) => compareIds(a.position, b.position));
}
