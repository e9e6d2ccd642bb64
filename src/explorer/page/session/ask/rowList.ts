import type { Listing } from "../../../wire/answer.ts";
import { Cell } from "../../parts/cell.ts";
import type { Client, Endpoint, Query } from "./client.ts";

/** Rows per request: `STEP` while scrolling; `LEAP`, the server's maximum, to read everything up to a row. */
const STEP = 100;
const LEAP = 1000;
/** The number of pages in memory. Of other pages only the page identifier is kept, to read them again. */
const KEPT = 40;

/** Lists of differences are read from their beginning: the server cannot find their rows by number. */
const IN_TURN = ["without", "within", "compare", "reach"];

/** A page of the list that was read. */
interface Stretch<Row> {
  /** The index of its first row, and its number of rows. */
  readonly from: number;
  readonly size: number;
  /**
   * The identifiers of this page and of the next one. `page` is absent for the first page, and for pages read by row
   * number.
   */
  readonly page: string | undefined;
  readonly next: string | undefined;
  rows: readonly Row[] | undefined;
}

/** The rows to request: a page by its identifier, or the rows from `from` on. */
interface Gap<Row> {
  readonly from: number;
  readonly limit: number;
  readonly page: string | undefined;
  /** The page to read again, after its rows were dropped. */
  readonly again?: Stretch<Row>;
}

/** The state of reading a list. */
export interface Read {
  /** The number of rows read from the beginning without a gap. */
  readonly known: number;
  readonly state: "reading" | "more" | "whole" | "failed";
  /** The length of the list, once it is known. */
  readonly total?: number;
  readonly failure?: unknown;
  /** While a row far ahead is read: the number of rows up to it. */
  readonly ahead?: number;
}

/** The source of a drawn list. */
export type RowSource<Row> = Pick<RowList<Row>, "read" | "row" | "want" | "readTo" | "again">;

/** One list, whose pages are read when they are shown. */
export class RowList<Row> {
  readonly read = new Cell<Read>({ known: 0, state: "more" });
  readonly #client: Client;
  readonly #endpoint: Endpoint;
  readonly #query: Query;
  /** Whether the server can find the rows of the list by number. */
  readonly #anywhere: boolean;
  /** The pages that were read, in row order and without overlaps. */
  readonly #stretches: Stretch<Row>[] = [];
  /** The visible rows. */
  #wanted: readonly [first: number, last: number] = [0, 0];
  /** The row up to which everything must be read. */
  #insisted = 0;
  #busy = false;

  constructor(client: Client, endpoint: Endpoint, query: Query) {
    this.#client = client;
    this.#endpoint = endpoint;
    this.#query = query;
    this.#anywhere =
      endpoint === "access" && query["without"] === undefined && !IN_TURN.includes(String(query["tab"]));
  }

  /** A row, if it is in memory. */
  row(at: number): Row | undefined {
    const stretch = this.#stretches[this.#find(at)];
    return stretch?.rows?.[at - stretch.from];
  }

  /** Reads the missing rows from `first` to `last`. Rows of an earlier call that are not read yet are skipped. */
  want(first: number, last: number): void {
    this.#wanted = [first, last];
    if (this.read.value.state !== "failed") void this.#go();
  }

  /** Reads up to row `last`, whatever is visible meanwhile. */
  readTo(last: number): void {
    this.#insisted = last;
    this.want(...this.#wanted);
  }

  /** Continues after a failure. */
  again(): void {
    if (this.read.value.state === "failed") void this.#go();
  }

  async #go(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let gap = this.#gap(); gap !== undefined; gap = this.#gap()) await this.#fill(gap);
    } catch (failure) {
      this.read.set({ ...this.read.value, state: "failed", failure });
    }
    this.#busy = false;
  }

  /** The next rows to read: first the missing visible rows, then those up to the row of {@link readTo}. */
  #gap(): Gap<Row> | undefined {
    const [first, last] = this.#wanted;
    const { known, state, total = Infinity } = this.read.value;
    for (let at = first; at <= last && at < total;) {
      const stretch = this.#stretches[this.#find(at)];
      if (stretch === undefined || stretch.from + stretch.size <= at) return this.#hole(at);
      if (stretch.rows === undefined)
        return { from: stretch.from, limit: stretch.size, page: stretch.page, again: stretch };
      at = stretch.from + stretch.size;
    }
    if (state === "whole" || this.#insisted < known) return undefined;
    return this.#behind(known, this.#insisted - known);
  }

  /**
   * The rows to request for a row that was never read: those from that row on or, if the server cannot find rows by
   * number, the next ones from the beginning.
   */
  #hole(at: number): Gap<Row> | undefined {
    const { known, state } = this.read.value;
    if (at < known + STEP || !this.#anywhere)
      return state === "whole" ? undefined : this.#behind(known, this.#wanted[1] - known);
    const before = this.#stretches[this.#find(at)];
    const end = before === undefined ? 0 : before.from + before.size;
    // Pages far ahead begin at multiples of STEP, so that they adjoin.
    const from = Math.max(end, at - (at % STEP));
    return this.#behind(from, 0);
  }

  /** The unread rows from `from` on, at most one page. */
  #behind(from: number, ahead: number): Gap<Row> {
    const place = this.#find(from);
    const before = this.#stretches[place];
    const follows = before !== undefined && before.from + before.size === from;
    const limit = ahead < STEP || from === 0 ? STEP : LEAP;
    const next = this.#stretches[place + 1]?.from ?? Infinity;
    return { from, limit: Math.min(limit, next - from), page: follows ? before.next : undefined };
  }

  async #fill({ from, limit, page, again }: Gap<Row>): Promise<void> {
    const { known, state, total } = this.read.value;
    const length = total === undefined ? {} : { total };
    const far = limit === LEAP ? { ahead: this.#wanted[1] + 1 } : {};
    this.read.set({ known, state: again ? state : "reading", ...length, ...far });
    const where = page === undefined && from > 0 ? { from } : { page };
    const answer = await this.#client.get<Listing<Row>>(this.#endpoint, { ...this.#query, limit, ...where });
    const { items } = answer;
    if (again) {
      again.rows = items;
      // A new value notifies the subscribers; the length is unchanged.
      this.read.set({ ...this.read.value });
    } else {
      const stretch = { from, size: items.length, page, next: answer.next?.page, rows: items };
      this.#stretches.splice(this.#find(from) + 1, 0, stretch);
      const reached = this.#reached();
      // The end of the list gives its exact length.
      const length = answer.next ? (answer.total ?? total) : from + items.length;
      this.read.set({
        known: reached,
        state: reached === length && this.#stretches.at(-1)?.next === undefined ? "whole" : "more",
        ...(length === undefined ? {} : { total: length }),
      });
    }
    this.#forget();
  }

  /** The number of rows read from the beginning without a gap. */
  #reached(): number {
    let reached = 0;
    for (const { from, size } of this.#stretches) {
      if (from > reached) break;
      reached = from + size;
    }
    return reached;
  }

  /** Drops the rows farthest from the visible ones. */
  #forget(): void {
    const held = this.#stretches.filter(({ rows }) => rows !== undefined);
    if (held.length <= KEPT) return;
    const far = ({ from }: Stretch<Row>) => Math.abs(from - this.#wanted[0]);
    for (const stretch of held.sort((a, b) => far(b) - far(a)).slice(0, held.length - KEPT))
      if (stretch.from > 0) stretch.rows = undefined;
  }

  /** The index of the page with a row, or of the last page before it; -1 if there is none. */
  #find(at: number): number {
    let low = -1;
    for (let high = this.#stretches.length - 1; low < high;) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#stretches[middle]?.from ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
