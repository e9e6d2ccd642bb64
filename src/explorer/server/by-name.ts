/** Lists by title: the whole order is made when it is first asked for. */
import { ApiError } from "../../domain/error.ts";
import { compareIds } from "../../domain/id.ts";
import { counted } from "../../domain/text.ts";
import { titleKeyOf } from "../../domain/title-key.ts";

import { MOST_BY_NAME } from "../wire/lists.ts";
import { type ListOpener, openSorted, pagesAfter } from "./list.ts";
import type { Filter } from "./query.ts";

/** The list by title if the filter says so, read whole: for lists that are short, such as those of teams. */
export function byTitle<Row extends object>(
  list: ListOpener<Row>,
  { sort }: Filter,
  thingIn: (row: Row) => { readonly id: string; readonly title: string },
): ListOpener<Row> {
  if (sort !== "name") return list;
  return async (reading, viewer) => {
    const opened = await list(reading, viewer);
    if (opened === undefined) return undefined;
    const rows: { readonly row: Row; readonly position: string }[] = [];
    for await (const entries of pagesAfter((request) => opened.page(request, "shown"), 1000)) {
      for (const row of entries) {
        const { id, title } = thingIn(row);
        rows.push({ row, position: titleKeyOf(title, id) });
      }
      refuseLong(rows.length);
    }
    rows.sort((a, b) => compareIds(a.position, b.position));
    return openSorted(rows, async (some) => some.map(({ row }) => row));
  };
}

/** Throws 400 for a list that is too long to be sorted by name. */
export function refuseLong(rows: number): void {
  if (rows <= MOST_BY_NAME) return;
  throw new ApiError(
    "badRequest",
    `The parameter sort is "name", and the list has more than ${counted(MOST_BY_NAME, "row")}; accepted: fewer rows, or another order.`,
  );
}
