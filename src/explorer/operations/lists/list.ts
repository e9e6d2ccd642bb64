/** The interface of a list: how to open it, and its lines in a file. */
import { compareIds } from "../../../domain/order.ts";
import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";
import type { Person } from "../../../domain/explanation/why.ts";
import type { AccessOrder } from "../../queries/lists/access.ts";
import type { RoleCounts } from "../../queries/lists/role-counts.ts";
import type { Reading } from "../../../store/reading.ts";
import type { Viewer } from "../../queries/tree/viewer.ts";
import type { Kind } from "../parameters/read.ts";
import type { Filter } from "../../queries/filters/filter.ts";

/** The number of rows of a list. */
export interface Counted {
  readonly total: number;
  /** The number of rows with each effective role, without the filter by role. */
  readonly roles?: RoleCounts;
  /** The number of search results of each kind, without the filter by kind. */
  readonly kinds?: Readonly<Record<Kind, number>>;
}

/** A list that was opened at one revision. */
export interface Opened<Row> {
  /** The number of rows, if it is known without counting. */
  readonly total?: number;
  page(request: PageRequest<string>, order: AccessOrder): Promise<Page<Row, string>>;
  /** Counts the rows, if necessary by reading the list. */
  count(): Promise<Counted>;
  /**
   * The key of a row, after which a page continues; `undefined` after the last row. Lists without this method are short
   * enough to be read up to the row.
   */
  keyOf?(row: number, order: AccessOrder): Promise<string | undefined>;
}

/** A list: how to open it, and its rows as lines of a file. */
export interface List<Row extends object> {
  readonly columns: readonly string[];
  /** Opens the list; `undefined` if its subject does not exist in the revision. */
  open(reading: Reading, viewer: Viewer): Promise<Opened<Row> | undefined>;
  cells(row: Row): readonly string[];
}

/** The order that the filter names; `order` if it names none. */
export function orderOf({ sort }: Filter, order: AccessOrder): AccessOrder {
  if (sort === undefined) return order;
  return sort === "strongest" ? "shown" : "id";
}

/** The texts by which a search finds a person. */
export function textsOf({ displayName, email }: Person): string[] {
  return email === undefined ? [displayName] : [displayName, email];
}

/** A page of a list that is held in memory, sorted by key. */
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
