/** What a list is when it is open, and how its pages are read: from memory, filtered row by row, or group by group. */
import { compareIds } from "../../domain/id.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { ROLES, type RoleCounts } from "../../domain/role.ts";
import type { Person } from "../../domain/why.ts";
import type { Reading } from "../../store/reading.ts";
import { matches, queryOf } from "../../domain/search.ts";
import { giveTurn } from "../../store/turns.ts";
import type { SubjectKind } from "../wire/protocol.ts";
import type { Filter } from "./query.ts";
import type { Viewer } from "./viewer.ts";

/** `shown`: strongest role first, then by id. `id`: by id only. */
export type AccessOrder = "shown" | "id";

export interface ListCounts {
  readonly total: number;
  /** The number of rows with each effective role; ignores the filters `role` and `least`. */
  readonly roles?: RoleCounts;
  /** The number of search results of each kind; ignores the filter `kind`. */
  readonly kinds?: Readonly<Record<SubjectKind, number>>;
}

/** A list that was opened at one revision. */
export interface Opened<Row> {
  readonly total?: number;
  page(request: PageRequest<string>, order: AccessOrder): Promise<Page<Row, string>>;
  /** Counts the rows that pass the filters, if necessary by reading the list. */
  count(): Promise<ListCounts>;
  /**
   * The sort key of a row (numbered from 0), after which a page continues; `undefined` after the last row. A list
   * without this method is short enough to be read up to the row.
   */
  keyOf?(row: number, order: AccessOrder): Promise<string | undefined>;
}

/** Opens a list; `undefined` if the subject of the list does not exist in the revision. */
export type ListOpener<Row extends object> = (
  reading: Reading,
  viewer: Viewer,
) => Promise<Opened<Row> | undefined>;

/** The order that the filter names, else `order`. */
export function orderOf({ sort }: Filter, order: AccessOrder): AccessOrder {
  if (sort === undefined) return order;
  return sort === "strongest" ? "shown" : "id";
}

export function textsOf({ displayName, email }: Person): string[] {
  return email === undefined ? [displayName] : [displayName, email];
}

/** Tests whether one of the given texts matches a text filter. */
export function matching(q: string): (...texts: string[]) => boolean {
  const query = queryOf(q);
  return (...texts) => q === "" || matches(texts, query);
}

/** A page of a list that is in memory, sorted by `position`. */
export function pageWithin<Entry extends { readonly position: string }>(
  sorted: readonly Entry[],
  { after, limit }: PageRequest<string>,
): Page<Entry, string> {
  const from = indexAfter(sorted.length, (index) => sorted[index]?.position ?? "", after);
  return pageOf(sorted.slice(from, from + limit + 1), limit, ({ position }) => position);
}

/** Of `count` keys in ascending order, how many are not after `after`: none without one. */
export function indexAfter(
  count: number,
  keyAt: (index: number) => string,
  after: string | undefined,
  compare = compareIds,
): number {
  if (after === undefined) return 0;
  let low = 0;
  for (let high = count; low < high;) {
    const middle = (low + high) >> 1;
    if (compare(keyAt(middle), after) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Opens a list that is in memory, sorted by `position`; `rowsOf` reads the rows of a page. */
export function openSorted<Entry extends { readonly position: string }, Row>(
  sorted: readonly Entry[],
  rowsOf: (entries: readonly Entry[], order: AccessOrder) => Promise<readonly Row[]>,
): Opened<Row> {
  return {
    total: sorted.length,
    count: async () => ({ total: sorted.length }),
    async page(request, order) {
      const page = pageWithin(sorted, request);
      return { ...page, entries: await rowsOf(page.entries, order) };
    },
  };
}

/** A list of a model, in order. */
export interface InOrder<Entry> {
  readonly entries: ArrayLike<Entry>;
  /** The sort key of an entry, after which a page continues. */
  readonly keyOf: (entry: Entry) => string;
  /** Compares sort keys; without it, they ascend as ids do. */
  readonly compare?: (a: string, b: string) => number;
  /** Whether a page says how long the list is. */
  readonly isCounted: boolean;
}

export function openOrdered<Entry, Row>(
  { entries, keyOf, compare, isCounted }: InOrder<Entry>,
  rowOf: (entry: Entry) => Row,
): Opened<Row> {
  const some = (from: number, to: number): Entry[] => Array.prototype.slice.call(entries, from, to);
  const keyAt = (row: number) => some(row, row + 1).map(keyOf)[0];
  return {
    ...(isCounted ? { total: entries.length } : {}),
    count: async () => ({ total: entries.length }),
    keyOf: async (row) => keyAt(row),
    async page({ after, limit }) {
      const from = indexAfter(entries.length, (row) => keyAt(row) ?? "", after, compare);
      return mapped(pageOf(some(from, from + limit + 1), limit, keyOf), (entry) => [rowOf(entry)]);
    },
  };
}

export function mapped<From, To>(
  { entries, ...more }: Page<From, string>,
  to: (entry: From) => readonly To[],
): Page<To, string> {
  return { ...more, entries: entries.flatMap(to) };
}

type ReadPage<Row> = (request: PageRequest<string>) => Promise<Page<Row, string>>;

/** The rows of a list, page by page, from behind `after`. Other work gets turns between the pages. */
export async function* pagesAfter<Row>(
  read: ReadPage<Row>,
  limit: number,
  after?: string,
): AsyncGenerator<readonly Row[]> {
  for (let from = after; ;) {
    const { entries, next } = await read({ after: from, limit });
    yield entries;
    if (next === undefined) return;
    from = next;
    await giveTurn();
  }
}

/** Opens a list that is counted by reading it if `total` is unknown. */
export function countedByReading<Row>(total: number | undefined, page: ReadPage<Row>): Opened<Row> {
  return {
    ...(total === undefined ? {} : { total }),
    page,
    async count() {
      if (total !== undefined) return { total };
      let rows = 0;
      for await (const entries of pagesAfter(page, 1000)) rows += entries.length;
      return { total: rows };
    },
  };
}

/**
 * Concatenates one list per group, in the order of `groups`. A key of the whole list is a group, a slash and a key of
 * that group's list. A page reads only the groups that it needs.
 */
export async function groupByGroup<Row, Group extends string>(
  { after, limit }: PageRequest<string>,
  groups: readonly Group[],
  key: (row: Row) => string,
  ofGroup: (group: Group, request: PageRequest<string>) => Promise<Page<Row, string>>,
): Promise<Page<Row, string>> {
  const slash = after?.indexOf("/") ?? -1;
  const begun = after?.slice(0, Math.max(0, slash));
  const start = Math.max(
    0,
    groups.findIndex((group) => group === begun),
  );
  const found: { group: Group; row: Row }[] = [];
  for (const group of groups.slice(start)) {
    const behind = group === begun ? after?.slice(slash + 1) : undefined;
    const { entries } = await ofGroup(group, { after: behind, limit: limit + 1 - found.length });
    found.push(...entries.map((row) => ({ group, row })));
    if (found.length > limit) break;
  }
  const { entries, ...more } = pageOf(found, limit, ({ group, row }) => `${group}/${key(row)}`);
  return { ...more, entries: entries.map(({ row }) => row) };
}

export function totalOf(counts: RoleCounts): number {
  return ROLES.reduce((sum, role) => sum + counts[role], 0);
}
