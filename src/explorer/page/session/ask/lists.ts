import type { Client, Endpoint, Query } from "./client.ts";
import { RowList } from "./rowList.ts";

/** The number of lists in memory, so that Back restores its position. */
const KEPT = 12;

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

  /** The list of `query`; it is read only when it is shown. */
  get(query: Query): RowList<Row> {
    const key = JSON.stringify(query);
    const list = this.#known.get(key) ?? new RowList<Row>(this.#client, this.#endpoint, query);
    // Moved to the end: the first is the least recently used.
    this.#known.delete(key);
    this.#known.set(key, list);
    const oldest = this.#known.keys().next();
    if (this.#known.size > KEPT && !oldest.done) this.#known.delete(oldest.value);
    return list;
  }
}
