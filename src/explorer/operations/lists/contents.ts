import { matches, queryOf } from "../../../store/schema/search-terms.ts";
import type { Filter } from "../../queries/filters/filter.ts";
import { placed } from "../../queries/tree/placed.ts";
import { type Setting, setContents } from "../../queries/tree/set-contents.ts";
import type { ContentRow } from "../../wire/rows.ts";
import { type List, mapped, within } from "./list.ts";

/** The contents with a setting that deserves a review, collections first, by title. */
export function contentsWith(setting: Setting, { q }: Filter): List<ContentRow> {
  return {
    columns: ["kind", "id", "title", "path", "defaultLevel", "deletedAt"],
    cells: ({ content, path }) => [
      content.kind,
      content.id,
      content.title,
      path.join(" / "),
      content.defaultLevel ?? "null",
      content.kind === "space" ? (content.deletedAt ?? "") : "",
    ],
    async open(reading, viewer) {
      const { [setting]: all } = await setContents(reading);
      const query = queryOf(q);
      const kept = q === "" ? all : all.filter(({ title }) => matches([title], query));
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
