import { contentKey } from "../../../domain/content.ts";
import { contents } from "../../../store/directory/inheritance.ts";
import type { PageRequest } from "../../../domain/page.ts";
import type { Reading } from "../../../store/reading.ts";
import { type Filter, isNarrow } from "../../queries/filters/filter.ts";
import { newThings } from "../../queries/past/newcomers.ts";
import { nextListed } from "../../queries/tree/catalog.ts";
import { childrenOf, level } from "../../queries/tree/levels.ts";
import { placed } from "../../queries/tree/placed.ts";
import type { ContentRow } from "../../wire/lists.ts";
import { CONTENT_COLUMNS, contentCells } from "./contents.ts";
import { type List, mapped } from "./list.ts";
import { counting, sifted } from "./sift.ts";
import { keeps } from "./spaces.ts";

const BLOCK = 1000;

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
      if (!isNarrow(filter)) {
        const total = (await childrenOf(reading, viewer, [collection])).get(collection) ?? 0;
        return counting(total, async (request) => mapped(await rows(request), ({ row }) => [row]));
      }
      return counting(undefined, async (request) => {
        const page = await sifted(
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
    const rows = await nextListed(reading, `in/${collection}`, after, BLOCK);
    for (const [, thing] of rows) found.add(thing);
    if (rows.length < BLOCK) return found;
    after = rows.at(-1)?.[0] ?? after;
  }
}
