import type { Stamp } from "../../wire/protocol.ts";
import type { Client, Endpoint, QueryValues } from "./client.ts";

/** The largest number of cached answers of one endpoint. Back shows a cached answer at once. */
const KEPT_ANSWERS = 50;

/** The answers of one endpoint, each requested once: within a revision an answer does not change. */
export class Answers<Answer extends Stamp> {
  readonly #client: Client;
  readonly #endpoint: Endpoint;
  readonly #known = new Map<string, Answer>();

  constructor(client: Client, endpoint: Endpoint) {
    this.#client = client;
    this.#endpoint = endpoint;
    client.reloads.subscribe(() => this.#known.clear());
  }

  known(query: QueryValues): Answer | undefined {
    return this.#known.get(JSON.stringify(query));
  }

  async ask(query: QueryValues, signal: AbortSignal): Promise<Answer> {
    const answer = await this.#client.get<Answer>(this.#endpoint, query, signal);
    const oldest = this.#known.keys().next();
    if (this.#known.size >= KEPT_ANSWERS && !oldest.done) this.#known.delete(oldest.value);
    this.#known.set(JSON.stringify(query), answer);
    return answer;
  }
}
