/** What a list of the page is: how it is opened, and its lines in a file. */
import { compareIds } from "../../../domain/order.ts";
import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";
import type { Person } from "../../../domain/explanation/why.ts";
import type { AccessOrder } from "../../queries/lists/access.ts";
import type { RoleCounts } from "../../queries/lists/role-counts.ts";
import type { Reading } from "../../../store/reading.ts";
import type { Viewer } from "../../queries/tree/viewer.ts";
import type { Filter } from "../../queries/filters/filter.ts";

/** How many rows a list has. */
export interface Counted {
  readonly total: number;
  /** By effective role, whichever of them the filter names. */
  readonly roles?: RoleCounts;
}

/** A list that is there, ready to be read. */
export interface Opened<Row> {
  /** How many rows it has, where that is known. */
  readonly total?: number;
  page(request: PageRequest<string>, order: AccessOrder): Promise<Page<Row, string>>;
  /** How many rows it has, also where that has to be worked out. */
  count(): Promise<Counted>;
  /**
   * The key of a row, behind which the next one begins; `undefined` behind the last row. Absent where a list is short
   * enough to be read up to there.
   */
  keyOf?(row: number, order: AccessOrder): Promise<string | undefined>;
}

/** A list: how it is opened, and its rows as lines of a file. */
export interface List<Row extends object> {
  readonly columns: readonly string[];
  /** `undefined` where the thing is not in the revision. */
  open(reading: Reading, viewer: Viewer): Promise<Opened<Row> | undefined>;
  cells(row: Row): readonly string[];
}

/** The order of a list: as the filter has it, otherwise as the caller's is. */
export function orderOf({ sort }: Filter, order: AccessOrder): AccessOrder {
  if (sort === undefined) return order;
  return sort === "strongest" ? "shown" : "id";
}

/** What a person is found by. */
export function textsOf({ displayName, email }: Person): string[] {
  return email === undefined ? [displayName] : [displayName, email];
}

/** A page of a list that lies in memory, sorted by position. */
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
