/** Lists of what changes if a source of access is removed. */
import { contentKey, type ContentKey } from "../../domain/content.ts";
import { plain } from "../../domain/reason.ts";
import type { Without } from "../../domain/without.ts";
import { DIRECTIONS } from "../../domain/difference.ts";
import { type Placed, placed } from "./nodes.ts";
import type { Reading } from "../../store/reading.ts";
import { type Viewer, visible } from "./viewer.ts";
import { countsWithout } from "../../store/listings/without/below.ts";
import { concernedBy } from "../../store/listings/without/inheriting.ts";
import { countsOfPairs, differenceRows, pairsWithout } from "./without.ts";
import { directionsOf, type Filter } from "./query.ts";
import { filteredWithout } from "./filtered.ts";
import { matches, queryOf } from "../../store/schema/search-terms.ts";
import type { ConcernedRow, Held, PairRow, WithoutRow } from "../wire/lists.ts";
import { type List, within } from "./list.ts";

const ROW = ["id", "name", "email", "change", "before", "because", "after", "becauseAfter"];
const CONTENT = ["kind", "content", "title", "path"];

function rowCells({ user, direction, before, after }: WithoutRow): string[] {
  const held = (each: Held | null) => (each === null ? ["", ""] : [each.role, plain(each.reason.because)]);
  return [user.id, user.displayName, user.email ?? "", direction, ...held(before), ...held(after)];
}

function contentCells({ content, path }: Pick<PairRow, "content" | "path">): string[] {
  return [content.kind, content.id, content.title, path.join(" / ")];
}

/** The users whose role on one content differs without the source. */
export function withoutOn(key: ContentKey, without: Without, filter: Filter): List<WithoutRow> {
  return {
    columns: ROW,
    cells: rowCells,
    async open(reading, viewer) {
      const difference = await filteredWithout(reading, key, without, filter);
      if (difference === undefined) return undefined;
      // Callers must not learn whether a user without a role exists.
      const directions = directionsOf(filter).filter((each) => viewer.all || each !== "gained");
      return {
        async page(request) {
          const page = await differenceRows(reading, key, difference, request, directions);
          return viewer.all ? page : { ...page, entries: await hidden(reading, viewer, page.entries) };
        },
        async count() {
          const counts = await difference.counts();
          return { total: directions.reduce((sum, each) => sum + counts[each], 0) };
        },
      };
    },
  };
}

/** Removes contents that the viewer does not see from the reasons of rows. */
async function hidden(reading: Reading, viewer: Viewer, rows: readonly WithoutRow[]): Promise<WithoutRow[]> {
  const keyOf = ({ reason: { content } }: Held) =>
    content === undefined ? [] : [contentKey(content.kind, content.id)];
  const keys = new Set(rows.flatMap(({ after }) => (after === null ? [] : keyOf(after))));
  const seen = await visible(reading, viewer, [...keys]);
  return rows.map((row) => {
    if (row.after === null || keyOf(row.after).every((key) => seen.has(key))) return row;
    const { rule } = row.after.reason;
    return {
      ...row,
      after: { role: row.after.role, reason: { rule, because: ["something above that you do not see"] } },
    };
  });
}

/**
 * The contents on which the source is set, and the contents that inherit from these. In a CSV file, each has the number
 * of affected users.
 */
export function concerned(without: Without, { q }: Filter): List<ConcernedRow> {
  return {
    columns: [...CONTENT, "lost", "lowered", "raised", "gained"],
    cells: ({ counts, ...row }) => [
      ...contentCells(row),
      ...DIRECTIONS.map((direction) => String(counts?.[direction] ?? "")),
    ],
    async open(reading, viewer) {
      const text = queryOf(q);
      const all = (await concernedBy(reading, without)).filter(
        ({ title }) => q === "" || matches([title], text),
      );
      return {
        total: all.length,
        async page(request, order) {
          const page = within(all, request);
          const keys = page.entries.map(({ content }) => content);
          const [nodes, counts] = await Promise.all([
            placed(reading, viewer, keys),
            // The page requests the counts of the rows on the screen separately.
            order === "id" ? countsWithout(reading, without, keys) : undefined,
          ]);
          const entries = keys.flatMap((key) => {
            const found = counts?.get(key);
            return on(nodes.get(key)).map((place) => ({ ...place, ...(found && { counts: found }) }));
          });
          return { ...page, entries };
        },
        count: async () => ({ total: all.length }),
      };
    },
  };
}

/** The users whose role differs without the source, on each content that the source affects. */
export function pairs(without: Without, filter: Filter): List<PairRow> {
  return {
    columns: [...CONTENT, ...ROW],
    cells: (row) => [...contentCells(row), ...rowCells(row)],
    async open(reading, viewer) {
      return {
        async page(request) {
          const page = await pairsWithout(reading, without, request, filter);
          const nodes = await placed(reading, viewer, [
            ...new Set(page.entries.map(({ content }) => content)),
          ]);
          const entries = page.entries.flatMap(({ content, row }) =>
            on(nodes.get(content)).map((place) => ({ ...row, ...place })),
          );
          return { ...page, entries };
        },
        async count() {
          const counts = await countsOfPairs(reading, without, filter);
          const directions = directionsOf(filter);
          return {
            total: counts.reduce((sum, each) => directions.reduce((all, way) => all + each[way], sum), 0),
          };
        },
      };
    },
  };
}

function on(place: Placed | undefined): Pick<PairRow, "content" | "path">[] {
  return place === undefined ? [] : [{ content: place.node, path: place.above.map(({ title }) => title) }];
}
