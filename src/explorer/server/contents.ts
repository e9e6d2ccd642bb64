import { type ContentKey, contentKey } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import type { PageRequest } from "../../domain/page.ts";
import { rank } from "../../domain/role.ts";
import type { CacheKind } from "../../store/cache/cache.ts";
import { contents } from "../../store/directory/inheritance.ts";
import { statement } from "../../store/engine/engine.ts";
import type { Reading } from "../../store/reading.ts";
import { holds } from "../../store/schema/as-of.ts";
import { CLOSED, contentTitleKey, decodeContent } from "../../store/schema/encoding.ts";
import { matches, queryOf } from "../../store/schema/search-terms.ts";
import type { ContentRow } from "../wire/lists.ts";
import { type Listed, childrenOf, level, nextListed } from "./catalog.ts";
import { type Filter, isFiltering } from "./query.ts";
import { deletedSpaces } from "./filtered.ts";
import { type List, countedByReading, filteredPage, mapped, within } from "./list.ts";
import { newThings } from "./newcomers.ts";
import { placed } from "./nodes.ts";
import { keeps } from "./spaces.ts";

const CONTENT_COLUMNS = ["kind", "id", "title", "path", "defaultLevel", "deletedAt"];

function contentCells({ content, path }: ContentRow): string[] {
  return [
    content.kind,
    content.id,
    content.title,
    path.join(" / "),
    content.defaultLevel ?? "null",
    content.kind === "space" ? (content.deletedAt ?? "") : "",
  ];
}

/** The contents that are closed, broad or deleted: collections before spaces, each kind by title. */
export function contentsWith(setting: Setting, { q, since }: Filter): List<ContentRow> {
  return {
    columns: CONTENT_COLUMNS,
    cells: contentCells,
    async open(reading, viewer) {
      const { [setting]: all } = await setContents(reading);
      const query = queryOf(q);
      // A content is new in this list if it got the setting after that time, even if the content is older.
      const added = await newThings(reading, since, setting, async ({ before }) => {
        const { [setting]: had } = await setContents(before);
        const then = new Set(had.map(({ thing }) => thing));
        return all.flatMap(({ thing }) => (then.has(thing) ? [] : thing));
      });
      const kept = all.filter(
        ({ thing, title }) => added?.has(thing) !== false && (q === "" || matches([title], query)),
      );
      return {
        total: kept.length,
        count: async () => ({ total: kept.length }),
        async page(request) {
          const page = within(kept, request);
          const keys = page.entries.map(({ thing }) => thing);
          const nodes = await placed(reading, viewer, keys);
          return mapped(page, ({ thing }) => {
            const found = nodes.get(thing);
            if (found === undefined) return [];
            return [{ content: found.node, path: found.above.map(({ title }) => title) }];
          });
        },
      };
    },
  };
}

const CHILDREN = 1000;

/** The contents directly in a collection: collections before spaces, each kind by title. */
export function contentsIn(collection: string, filter: Filter): List<ContentRow> {
  const key = contentKey("collection", collection);
  return {
    columns: CONTENT_COLUMNS,
    cells: contentCells,
    async open(reading, viewer) {
      if (!(await contents(reading, [key])).has(key)) return undefined;
      const isKept = await keeps(reading, filter);
      const added = await newThings(reading, filter.since, `in ${collection}`, async ({ before, after }) => {
        const then = await thingsIn(before, collection);
        return [...(await thingsIn(after, collection))].filter((thing) => !then.has(thing));
      });
      const rows = async (request: PageRequest<string>) => {
        const found = await level(reading, viewer, collection, request);
        const nodes = await placed(
          reading,
          viewer,
          found.entries.map(({ thing }) => thing),
        );
        return mapped(found, ({ thing, position }) => {
          const place = nodes.get(thing);
          if (place === undefined) return [];
          const row = { content: place.node, path: place.above.map(({ title }) => title) };
          return [{ thing, position, row }];
        });
      };
      if (!isFiltering(filter)) {
        const total = (await childrenOf(reading, viewer, [collection])).get(collection) ?? 0;
        return countedByReading(total, async (request) => mapped(await rows(request), ({ row }) => [row]));
      }
      return countedByReading(undefined, async (request) => {
        const page = await filteredPage(
          rows,
          ({ thing, row }) => added?.has(thing) !== false && isKept(thing, row.content.title),
          ({ position }) => position,
          request,
        );
        return mapped(page, ({ row }) => [row]);
      });
    },
  };
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

/** The contents that a review begins with: closed contents, contents that every member may edit, deleted spaces. */

export const SETTINGS = ["closed", "broad", "deleted"] as const;
type Setting = (typeof SETTINGS)[number];

/** The weakest default level that counts as broad. */
const BROAD = rank("edit");

interface SetContent extends Listed<ContentKey> {
  readonly title: string;
}

type Contents = Readonly<Record<Setting, readonly SetContent[]>>;

const LEVELS = statement<[id: string, title: string, level: number]>(
  () => `
    SELECT c.id, c.title, c.level FROM content c
      WHERE ${holds("c")} AND c.id > $3 AND (c.level = ${CLOSED} OR c.level >= ${BROAD}) ORDER BY c.id LIMIT $4`,
);

const BLOCK = 4_000;

const KIND: CacheKind<Contents> = {
  name: "set-contents",
  bytes: (found) => 200 * SETTINGS.reduce((sum, setting) => sum + found[setting].length, 1),
};

/** The contents with each setting: collections before spaces, each kind by title. Cached per revision. */
export function setContents(reading: Reading): Promise<Contents> {
  return reading.cache.once(KIND, reading.at, "", async () => {
    const closed: SetContent[] = [];
    const broad: SetContent[] = [];
    for (let after = ""; ;) {
      const rows = await reading.read(LEVELS, ...reading.asOf, after, BLOCK);
      for (const [id, title, level] of rows)
        (level === CLOSED ? closed : broad).push(setContent(decodeContent(id), title));
      if (rows.length < BLOCK) break;
      after = rows.at(-1)?.[0] ?? after;
    }
    const keys = [...(await deletedSpaces(reading)).dates.keys()].map((id) => contentKey("space", id));
    const deleted: SetContent[] = [];
    for (let start = 0; start < keys.length; start += BLOCK) {
      const block = keys.slice(start, start + BLOCK);
      // The result also has ancestors of the requested contents.
      const loaded = await contents(reading, block);
      for (const key of block) deleted.push(setContent(key, loaded.get(key)?.title ?? ""));
    }
    return { closed: byTitle(closed), broad: byTitle(broad), deleted: byTitle(deleted) };
  });
}

function setContent(thing: ContentKey, title: string): SetContent {
  return { thing, title, position: contentTitleKey(thing, title) };
}

function byTitle(found: SetContent[]): SetContent[] {
  return found.sort((a, b) => compareIds(a.position, b.position));
}
