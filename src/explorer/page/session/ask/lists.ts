import type { Client, Endpoint, Query } from "./client.ts";
import { RowList } from "./rowList.ts";

/** The number of lists in memory, so that Back restores its position. */
const KEPT = 24;

/** The lists of one endpoint. The address of a list decides the type of its rows, which the caller of `get` names. */
export class Lists {
  readonly #client: Client;
  readonly #endpoint: Endpoint;
  readonly #known = new Map<string, RowList<never>>();

  constructor(client: Client, endpoint: Endpoint) {
    this.#client = client;
    this.#endpoint = endpoint;
    client.turns.subscribe(() => this.#known.clear());
  }

  /** The list of `query`; it is read only when it is shown. */
  get<Row>(query: Query): RowList<Row> {
    const key = JSON.stringify(query);
    const list = this.#known.get(key) ?? new RowList<never>(this.#client, this.#endpoint, query);
    // Moves the list to the end of the map, whose first list is the least recently used one.
    this.#known.delete(key);
    this.#known.set(key, list);
    const oldest = this.#known.keys().next();
    if (this.#known.size > KEPT && !oldest.done) this.#known.delete(oldest.value);
    return list;
  }
}
