import { matches, queryOf } from "../../../store/schema/search-terms.ts";
import type { Filter } from "../../queries/filters/filter.ts";
import { newThings } from "../../queries/past/newcomers.ts";
import { placed } from "../../queries/tree/placed.ts";
import { type Setting, setContents } from "../../queries/tree/set-contents.ts";
import type { ContentRow } from "../../wire/lists.ts";
import { type List, mapped, within } from "./list.ts";

export const CONTENT_COLUMNS = ["kind", "id", "title", "path", "defaultLevel", "deletedAt"];

export function contentCells({ content, path }: ContentRow): string[] {
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
