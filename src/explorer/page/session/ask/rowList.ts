import type { Listing } from "../../../wire/answer.ts";
import { Cell } from "../../parts/cell.ts";
import type { Client, Endpoint, Query } from "./client.ts";

/** Rows asked for at once: few where one reads on, as many as there may be where all up to a row are read. */
const STEP = 100;
const LEAP = 1000;
/** Pages whose rows stay in memory; where others begin is kept, so that they can be read again. */
const KEPT = 40;

/** Lists of differences are read from their beginning: the server does not know where their rows stand. */
const IN_TURN = ["without", "within", "compare", "reach"];

/** A page of the list that was read once. */
interface Stretch<Row> {
  /** The place of its first row, and how many it has. */
  readonly from: number;
  readonly size: number;
  /** The identifier of the page, where it was read as the next one of another; and of what follows. */
  readonly page: string | undefined;
  readonly next: string | undefined;
  rows: readonly Row[] | undefined;
}

/** Rows that are to be read: a page by its identifier, or from a row on. */
interface Gap<Row> {
  readonly from: number;
  readonly limit: number;
  readonly page: string | undefined;
  /** The page that is read again. */
  readonly again?: Stretch<Row>;
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

/** One list, read page by page where it is looked at. */
export class RowList<Row> {
  readonly read = new Cell<Read>({ known: 0, state: "more" });
  readonly #client: Client;
  readonly #endpoint: Endpoint;
  readonly #query: Query;
  /** Whether it can be read from any row on, and not only from its beginning. */
  readonly #anywhere: boolean;
  /** In the order of their rows; none overlap. */
  readonly #stretches: Stretch<Row>[] = [];
  /** The rows that are looked at. */
  #wanted: readonly [first: number, last: number] = [0, 0];
  /** The row up to which is read whatever is looked at. */
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

  /** What has to be read next: first what is looked at, then what all is read up to. */
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

  /** What is read for a row that lies in no page: from there on, or, where that cannot be, all up to there. */
  #hole(at: number): Gap<Row> | undefined {
    const { known, state } = this.read.value;
    if (at < known + STEP || !this.#anywhere)
      return state === "whole" ? undefined : this.#behind(known, this.#wanted[1] - known);
    const before = this.#stretches[this.#find(at)];
    const end = before === undefined ? 0 : before.from + before.size;
    // Pages of what is far away begin at full hundreds, so that they meet.
    const from = Math.max(end, at - (at % STEP));
    return this.#behind(from, 0);
  }

  /** The rows from one on that were not read, at most so many as a page has. */
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
    const told = total === undefined ? {} : { total };
    const far = limit === LEAP ? { ahead: this.#wanted[1] + 1 } : {};
    this.read.set({ known, state: again ? state : "reading", ...told, ...far });
    const where = page === undefined && from > 0 ? { from } : { page };
    const answer = await this.#client.get<Listing<Row>>(this.#endpoint, { ...this.#query, limit, ...where });
    const { items } = answer;
    if (again) {
      again.rows = items;
      // Told by a new value: the list is as long as it was.
      this.read.set({ ...this.read.value });
    } else {
      const stretch = { from, size: items.length, page, next: answer.next?.page, rows: items };
      this.#stretches.splice(this.#find(from) + 1, 0, stretch);
      const reached = this.#reached();
      // The end of the list is the best count of it.
      const length = answer.next ? (answer.total ?? total) : from + items.length;
      this.read.set({
        known: reached,
        state: reached === length && this.#stretches.at(-1)?.next === undefined ? "whole" : "more",
        ...(length === undefined ? {} : { total: length }),
      });
    }
    this.#forget();
  }

  /** How many rows were read from the beginning without a gap. */
  #reached(): number {
    let reached = 0;
    for (const { from, size } of this.#stretches) {
      if (from > reached) break;
      reached = from + size;
    }
    return reached;
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
    let low = -1;
    for (let high = this.#stretches.length - 1; low < high;) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#stretches[middle]?.from ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
