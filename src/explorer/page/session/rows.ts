/** Lists of rows, read page by page as they are shown. */
import { useEffect } from "preact/hooks";
import { listOf } from "../../wire/lists.ts";
import type { Listing } from "../../wire/protocol.ts";
import { Observable, useValue } from "../parts/observable.ts";
import type { Client, Endpoint, QueryValues } from "./client.ts";

/** Rows per request: `STEP` while scrolling; `LEAP`, the server's maximum, to load everything up to a row. */
const STEP = 100;
const LEAP = 1000;
/**
 * The largest number of pages in memory. Rows of other pages are dropped; their page identifiers stay, to load them
 * again.
 */
const KEPT_PAGES = 40;

/** A loaded page of the list. */
interface LoadedPage<Row> {
  readonly from: number;
  readonly size: number;
  /**
   * The identifiers of this page and of the next one. `page` is `undefined` for the first page, and for a page that was
   * requested by the number of its first row.
   */
  readonly page: string | undefined;
  readonly next: string | undefined;
  rows: readonly Row[] | undefined;
}

/** The rows to request: a page by its identifier, or the rows from index `from`. */
interface Missing<Row> {
  readonly from: number;
  readonly limit: number;
  readonly page: string | undefined;
  readonly again?: LoadedPage<Row>;
}

interface ReadRows {
  /** The number of rows from the beginning to the first missing. */
  readonly known: number;
  readonly state: "reading" | "more" | "whole" | "failed";
  /** The length of the list, when it is known. */
  readonly total?: number;
  readonly failure?: unknown;
  /** While everything up to a far row is loaded: the number of rows up to that row. */
  readonly ahead?: number;
}

export type RowSource<Row> = Pick<RowList<Row>, "read" | "row" | "want" | "again">;

/** What is read of a list. Begins to read the list. */
export function useRead<Row>(list: RowSource<Row>): ReadRows {
  const read = useValue(list.read);
  useEffect(() => {
    if (read.known === 0) list.want(0, 0);
  }, [list]);
  return read;
}

/** A list whose pages are loaded as they are shown. */
export class RowList<Row> {
  readonly read = new Observable<ReadRows>({ known: 0, state: "more" });
  readonly #client: Client;
  readonly #endpoint: Endpoint;
  readonly #query: QueryValues;
  /** Whether the server can read the list from the nth row. */
  readonly #hasRandomAccess: boolean;
  /** The loaded pages, in row order and without overlaps. */
  readonly #pages: LoadedPage<Row>[] = [];
  /** The rows of the last call of `want`. */
  #wanted: readonly [first: number, last: number] = [0, 0];
  #busy = false;

  constructor(client: Client, endpoint: Endpoint, query: QueryValues) {
    this.#client = client;
    this.#endpoint = endpoint;
    this.#query = query;
    const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    this.#hasRandomAccess = endpoint === "access" && listOf(new Map(given))?.isInTurn === undefined;
  }

  /** `undefined` if the row is not in memory. */
  row(at: number): Row | undefined {
    const loaded = this.#pages[this.#find(at)];
    return loaded?.rows?.[at - loaded.from];
  }

  /**
   * Loads the missing rows from `first` to `last`. A later call replaces this one: rows that are not requested yet are
   * skipped.
   */
  want(first: number, last: number): void {
    this.#wanted = [first, last];
    if (this.read.value.state !== "failed") void this.#go();
  }

  again(): void {
    if (this.read.value.state === "failed") void this.#go();
  }

  async #go(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let missing = this.#nextMissing(); missing !== undefined; missing = this.#nextMissing())
        await this.#load(missing);
    } catch (failure) {
      this.read.set({ ...this.read.value, state: "failed", failure });
    }
    this.#busy = false;
  }

  /** The next rows to request. */
  #nextMissing(): Missing<Row> | undefined {
    const [first, last] = this.#wanted;
    const { total = Infinity } = this.read.value;
    for (let at = first; at <= last && at < total;) {
      const loaded = this.#pages[this.#find(at)];
      if (loaded === undefined || loaded.from + loaded.size <= at) return this.#missingAt(at);
      if (loaded.rows === undefined)
        return { from: loaded.from, limit: loaded.size, page: loaded.page, again: loaded };
      at = loaded.from + loaded.size;
    }
    return undefined;
  }

  /**
   * The rows to request for a row that was never loaded: those from this row, or the next ones from the beginning if
   * the row is near, or if the server cannot read the list from the nth row.
   */
  #missingAt(at: number): Missing<Row> | undefined {
    const { known, state } = this.read.value;
    if (at < known + STEP || !this.#hasRandomAccess)
      return state === "whole" ? undefined : this.#pageFrom(known, this.#wanted[1] - known);
    const before = this.#pages[this.#find(at)];
    const end = before === undefined ? 0 : before.from + before.size;
    // Multiples of `STEP`, so that pages adjoin without overlaps.
    const from = Math.max(end, at - (at % STEP));
    return this.#pageFrom(from, 0);
  }

  /**
   * At most one page of rows from `from` to the next loaded page. `ahead` is the number of further rows that are
   * needed.
   */
  #pageFrom(from: number, ahead: number): Missing<Row> {
    const index = this.#find(from);
    const before = this.#pages[index];
    const follows = before !== undefined && before.from + before.size === from;
    const limit = ahead < STEP || from === 0 ? STEP : LEAP;
    const next = this.#pages[index + 1]?.from ?? Infinity;
    return { from, limit: Math.min(limit, next - from), page: follows ? before.next : undefined };
  }

  async #load({ from, limit, page, again }: Missing<Row>): Promise<void> {
    const { known, state, total } = this.read.value;
    const length = total === undefined ? {} : { total };
    const far = limit === LEAP ? { ahead: this.#wanted[1] + 1 } : {};
    this.read.set({ known, state: again ? state : "reading", ...length, ...far });
    const where = page === undefined && from > 0 ? { from } : { page };
    const answer = await this.#client.get<Listing<Row>>(this.#endpoint, { ...this.#query, limit, ...where });
    const { items } = answer;
    if (again) {
      again.rows = items;
      // A new object notifies the subscribers, although nothing in it changed.
      this.read.set({ ...this.read.value });
    } else {
      const loaded = { from, size: items.length, page, next: answer.next?.page, rows: items };
      this.#pages.splice(this.#find(from) + 1, 0, loaded);
      const reached = this.#reached();
      // The last page gives the exact length.
      const length = answer.next ? (answer.total ?? total) : from + items.length;
      this.read.set({
        known: reached,
        state: reached === length && this.#pages.at(-1)?.next === undefined ? "whole" : "more",
        ...(length === undefined ? {} : { total: length }),
      });
    }
    this.#dropFarPages();
  }

  #reached(): number {
    let reached = 0;
    for (const { from, size } of this.#pages) {
      if (from > reached) break;
      reached = from + size;
    }
    return reached;
  }

  /** Drops the rows that are farthest from the visible ones. */
  #dropFarPages(): void {
    const held = this.#pages.filter(({ rows }) => rows !== undefined);
    if (held.length <= KEPT_PAGES) return;
    const far = ({ from }: LoadedPage<Row>) => Math.abs(from - this.#wanted[0]);
    for (const loaded of held.sort((a, b) => far(b) - far(a)).slice(0, held.length - KEPT_PAGES))
      if (loaded.from > 0) loaded.rows = undefined;
  }

  /** The index of the page that has a row, or of the last page before the row; -1 if there is none. */
  #find(at: number): number {
    let low = -1;
    for (let high = this.#pages.length - 1; low < high;) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#pages[middle]?.from ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The largest number of lists in memory. Back shows such a list at its old position. */
const KEPT_LISTS = 24;

/** The lists of a session. The caller of `get` names the type of the rows, which follows from the query. */
export class Lists {
  readonly #client: Client;
  readonly #known = new Map<string, RowList<never>>();

  constructor(client: Client) {
    this.#client = client;
    client.reloads.subscribe(() => this.#known.clear());
  }

  /** The list is loaded only as far as it is shown. */
  get<Row>(query: QueryValues, endpoint: Endpoint = "access"): RowList<Row> {
    const key = JSON.stringify([endpoint, query]);
    const list = this.#known.get(key) ?? new RowList<never>(this.#client, endpoint, query);
    // Keeps the map in order of use, least recently used list first.
    this.#known.delete(key);
    this.#known.set(key, list);
    const oldest = this.#known.keys().next();
    if (this.#known.size > KEPT_LISTS && !oldest.done) this.#known.delete(oldest.value);
    return list;
  }
}

/** A list whose rows are all in memory, in the form that the table draws. */
export function rowsInMemory<Row>(rows: readonly Row[]): RowSource<Row> {
  return {
    read: new Observable({ known: rows.length, state: "whole" as const, total: rows.length }),
    row: (at) => rows[at],
    want() {},
    again() {},
  };
}
