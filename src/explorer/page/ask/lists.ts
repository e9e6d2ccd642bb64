import type { Listing } from "../../wire.ts";
import { Cell } from "../parts/cell.ts";
import type { Client, Endpoint, Query } from "./client.ts";

/** How many lists stay in memory, so that Back finds its place again. */
const KEPT = 12;

/** A list as far as it was read. */
export interface Read<Row> {
  readonly rows: readonly Row[];
  readonly state: "reading" | "more" | "whole" | "failed";
  /** How long the whole list is, once that is known. */
  readonly total?: number;
  readonly failure?: unknown;
}

/** One list, read page by page as far as it is looked at. */
export class RowList<Row> {
  readonly read = new Cell<Read<Row>>({ rows: [], state: "more" });
  readonly #client: Client;
  readonly #endpoint: Endpoint;
  readonly #query: Query;
  #page: string | undefined;

  constructor(client: Client, endpoint: Endpoint, query: Query) {
    this.#client = client;
    this.#endpoint = endpoint;
    this.#query = query;
  }

  /** Reads the next page, unless one is being read or there is none. */
  more(): void {
    const { state } = this.read.value;
    if (state === "more") void this.#next();
  }

  /** Goes on after a failure. */
  again(): void {
    if (this.read.value.state === "failed") void this.#next();
  }

  async #next(): Promise<void> {
    const { rows, total: before } = this.read.value;
    const known = before === undefined ? {} : { total: before };
    this.read.set({ rows, state: "reading", ...known });
    try {
      const { items, next, total } = await this.#client.get<Listing<Row>>(this.#endpoint, {
        ...this.#query,
        limit: 100,
        page: this.#page,
      });
      this.#page = next?.page;
      const all = rows.concat(items);
      this.read.set({
        rows: all,
        state: next ? "more" : "whole",
        // The end of the list is the best count of it.
        ...(next ? (total === undefined ? known : { total }) : { total: all.length }),
      });
    } catch (failure) {
      this.read.set({ rows, state: "failed", failure, ...known });
    }
  }
}

/** The lists of one kind of row. */
export class Lists<Row> {
  readonly #client: Client;
  readonly #endpoint: Endpoint;
  readonly #known = new Map<string, RowList<Row>>();

  constructor(client: Client, endpoint: Endpoint) {
    this.#client = client;
    this.#endpoint = endpoint;
    client.turns.subscribe(() => this.#known.clear());
  }

  /** The list that `query` names; nothing is read before it is looked at. */
  get(query: Query): RowList<Row> {
    const key = JSON.stringify(query);
    const list = this.#known.get(key) ?? new RowList<Row>(this.#client, this.#endpoint, query);
    // Put last: the first is the one not looked at for longest.
    this.#known.delete(key);
    this.#known.set(key, list);
    const oldest = this.#known.keys().next();
    if (this.#known.size > KEPT && !oldest.done) this.#known.delete(oldest.value);
    return list;
  }
}
