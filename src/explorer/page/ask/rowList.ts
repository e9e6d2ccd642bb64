import type { Listing } from "../../wire/answer.ts";
import { Cell } from "../parts/cell.ts";
import type { Client, Endpoint, Query } from "./client.ts";

/** Rows asked for at once: few where one reads on, as many as there may be where one jumps ahead. */
const STEP = 100;
const LEAP = 1000;
/** Pages whose rows stay in memory; where others begin is kept, so that they can be read again. */
const KEPT = 40;

/** A page of the list that was read once. */
interface Stretch<Row> {
  /** The place of its first row, and how many it has. */
  readonly from: number;
  readonly size: number;
  /** The page's identifier; the first has none. */
  readonly page: string | undefined;
  rows: readonly Row[] | undefined;
}

/** A list as far as it was read. */
export interface Read {
  /** How many rows were reached from the beginning. */
  readonly known: number;
  readonly state: "reading" | "more" | "whole" | "failed";
  /** How long the whole list is, once that is known. */
  readonly total?: number;
  readonly failure?: unknown;
  /** With `reading`: up to which row, where that lies far ahead. */
  readonly ahead?: number;
}

/** What a list is drawn from. */
export type RowSource<Row> = Pick<RowList<Row>, "read" | "row" | "want" | "readTo" | "again">;

/** One list, read page by page as far as it is looked at; what lies far ahead is read up to, one page after another. */
export class RowList<Row> {
  readonly read = new Cell<Read>({ known: 0, state: "more" });
  readonly #client: Client;
  readonly #endpoint: Endpoint;
  readonly #query: Query;
  readonly #stretches: Stretch<Row>[] = [];
  #next: string | undefined;
  /** The rows that are looked at. */
  #wanted: readonly [first: number, last: number] = [0, 0];
  /** The row up to which is read whatever is looked at. */
  #insisted = 0;
  #busy = false;

  constructor(client: Client, endpoint: Endpoint, query: Query) {
    this.#client = client;
    this.#endpoint = endpoint;
    this.#query = query;
  }

  /** A row, if it is in memory. */
  row(at: number): Row | undefined {
    const stretch = this.#stretches[this.#find(at)];
    return stretch?.rows?.[at - stretch.from];
  }

  /** Reads what is not there of the rows from `first` to `last`; what was wanted before is wanted no more. */
  want(first: number, last: number): void {
    this.#wanted = [first, last];
    if (this.read.value.state !== "failed") void this.#go();
  }

  /** Reads up to row `last`, whatever is looked at meanwhile. */
  readTo(last: number): void {
    this.#insisted = last;
    this.want(...this.#wanted);
  }

  /** Goes on after a failure. */
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

  /** What has to be read next: a stretch again, or on at the end. */
  #gap(): Stretch<Row> | "end" | undefined {
    const [first, last] = this.#wanted;
    const { known, state } = this.read.value;
    for (let at = Math.max(0, this.#find(first)); at < this.#stretches.length; at++) {
      const stretch = this.#stretches[at];
      if (stretch === undefined || stretch.from > last) break;
      if (stretch.rows === undefined) return stretch;
    }
    return state !== "whole" && Math.max(last, this.#insisted) >= known ? "end" : undefined;
  }

  async #fill(gap: Stretch<Row> | "end"): Promise<void> {
    const { known, state, total } = this.read.value;
    const page = gap === "end" ? this.#next : gap.page;
    const ahead = Math.max(this.#wanted[1], this.#insisted) - known;
    const limit = gap !== "end" ? gap.size : ahead < STEP || known === 0 ? STEP : LEAP;
    const told = total === undefined ? {} : { total };
    const far = limit === LEAP ? { ahead: this.#wanted[1] + 1 } : {};
    this.read.set({ known, state: gap === "end" ? "reading" : state, ...told, ...far });
    const answer = await this.#client.get<Listing<Row>>(this.#endpoint, { ...this.#query, limit, page });
    if (gap !== "end") {
      gap.rows = answer.items;
      // Told by a new value: the list is as long as it was.
      this.read.set({ ...this.read.value });
    } else {
      this.#next = answer.next?.page;
      this.#stretches.push({ from: known, size: answer.items.length, page, rows: answer.items });
      const reached = known + answer.items.length;
      this.read.set({
        known: reached,
        state: answer.next ? "more" : "whole",
        // The end of the list is the best count of it.
        ...(answer.next ? (answer.total === undefined ? told : { total: answer.total }) : { total: reached }),
      });
    }
    this.#forget();
  }

  /** Lets go of the rows that lie farthest from those looked at. */
  #forget(): void {
    const held = this.#stretches.filter(({ rows }) => rows !== undefined);
    if (held.length <= KEPT) return;
    const far = ({ from }: Stretch<Row>) => Math.abs(from - this.#wanted[0]);
    for (const stretch of held.sort((a, b) => far(b) - far(a)).slice(0, held.length - KEPT))
      if (stretch.from > 0) stretch.rows = undefined;
  }

  /** The stretch that a row lies in, or the last one before it; -1 where there is none. */
  #find(at: number): number {
    let low = 0;
    let high = this.#stretches.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#stretches[middle]?.from ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return high < 0 ? -1 : low;
  }
}
