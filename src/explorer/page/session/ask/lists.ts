import type { Client, Endpoint, Query } from "./client.ts";
import { RowList } from "./rowList.ts";

/** The largest number of lists in memory. Back shows such a list at its old position. */
const KEPT = 24;

/** The lists of one endpoint. The caller of `get` names the type of the rows, which follows from the query. */
export class Lists {
  readonly #client: Client;
  readonly #endpoint: Endpoint;
  readonly #known = new Map<string, RowList<never>>();

  constructor(client: Client, endpoint: Endpoint) {
    this.#client = client;
    this.#endpoint = endpoint;
    client.turns.subscribe(() => this.#known.clear());
  }

  /** The list is loaded only as far as it is shown. */
  get<Row>(query: Query): RowList<Row> {
    const key = JSON.stringify(query);
    const list = this.#known.get(key) ?? new RowList<never>(this.#client, this.#endpoint, query);
    // Keeps the map in order of use, least recently used list first.
    this.#known.delete(key);
    this.#known.set(key, list);
    const oldest = this.#known.keys().next();
    if (this.#known.size > KEPT && !oldest.done) this.#known.delete(oldest.value);
    return list;
  }
}
