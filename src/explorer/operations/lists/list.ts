import { compareIds } from "../../../domain/id.ts";
import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";
import type { Person } from "../../../domain/why.ts";
import type { AccessOrder } from "../../queries/lists/access.ts";
import type { RoleCounts } from "../../../store/listings/counts.ts";
import type { Reading } from "../../../store/reading.ts";
import type { Viewer } from "../../queries/tree/viewer.ts";
import type { Kind } from "../parameters/read.ts";
import type { Filter } from "../../queries/filters/filter.ts";

export interface Counted {
  readonly total: number;
  /** The number of rows with each effective role; ignores the filters `role` and `least`. */
  readonly roles?: RoleCounts;
  /** The number of search results of each kind; ignores the filter `kind`. */
  readonly kinds?: Readonly<Record<Kind, number>>;
}

/** A list that was opened at one revision. */
export interface Opened<Row> {
  readonly total?: number;
  page(request: PageRequest<string>, order: AccessOrder): Promise<Page<Row, string>>;
  /** Counts the rows that pass the filters, if necessary by reading the list. */
  count(): Promise<Counted>;
  /**
   * The sort key of a row (numbered from 0), after which a page continues; `undefined` after the last row. A list
   * without this method is short enough to be read up to the row.
   */
  keyOf?(row: number, order: AccessOrder): Promise<string | undefined>;
}

export interface List<Row extends object> {
  readonly columns: readonly string[];
  /** `undefined` if the subject of the list does not exist in the revision. */
  open(reading: Reading, viewer: Viewer): Promise<Opened<Row> | undefined>;
  cells(row: Row): readonly string[];
}

/** The order that the filter names, else `order`. */
export function orderOf({ sort }: Filter, order: AccessOrder): AccessOrder {
  if (sort === undefined) return order;
  return sort === "strongest" ? "shown" : "id";
}

export function textsOf({ displayName, email }: Person): string[] {
  return email === undefined ? [displayName] : [displayName, email];
}

/** A page of a list that is in memory, sorted by `position`. */
export function within<Entry extends { readonly position: string }>(
  sorted: readonly Entry[],
  { after, limit }: PageRequest<string>,
): Page<Entry, string> {
  const behind =
    after === undefined ? sorted : sorted.filter(({ position }) => compareIds(position, after) > 0);
  return pageOf(behind.slice(0, limit + 1), limit, ({ position }) => position);
}

export function mapped<From, To>(
  { entries, ...more }: Page<From, string>,
  to: (entry: From) => readonly To[],
): Page<To, string> {
  return { ...more, entries: entries.flatMap(to) };
}
