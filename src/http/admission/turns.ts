import type { IncomingMessage } from "node:http";
import { DEFAULT_LIMIT } from "../../domain/page.ts";
import { entriesOf } from "../request/entries.ts";
import { PROBES } from "../request/probes.ts";

/** The most requests in a group, and the most entries for which they ask together. */
const MOST_TOGETHER = 8;
const MOST_ENTRIES = MOST_TOGETHER * DEFAULT_LIMIT;

/** How many entries a request asks for. A request for anything but a page counts as a whole group. */
function sizeOf({ url = "" }: IncomingMessage): number {
  return isPage(url) ? entriesOf(url) : MOST_ENTRIES;
}

function isPage(url: string): boolean {
  return url.startsWith("/v1/") || url.startsWith("/at/");
}

function isProbe({ url = "" }: IncomingMessage): boolean {
  // Pages first, because most requests are for pages and the lookup in the set would take as long as the rest of a
  // turn.
  if (isPage(url)) return false;
  const [path] = url.split("?", 1);
  return PROBES.has(path);
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly work: () => void;
  readonly since: number;
}

/**
 * Starts requests in order of arrival, in groups: one group in each turn of the event loop. Between groups, the server
 * reads new input and answers probes.
 *
 * The requests of a group advance together. Each of their steps finds its code and data in the processor's caches,
 * which takes a fifth less CPU per page than one request after the other.
 */
export class Turns {
  readonly #waiting: Waiting[] = [];
  /** How long the request that starts now has waited, in milliseconds. */
  waited = 0;

  get length(): number {
    return this.#waiting.length;
  }

  /**
   * Calls `work` when it is the request's turn; never if the client has disconnected by then. A probe does not wait.
   */
  take(request: IncomingMessage, work: () => void): void {
    if (isProbe(request)) return work();
    this.#waiting.push({ request, work, since: performance.now() });
    if (this.#waiting.length === 1) setImmediate(() => this.#startGroup());
  }

  #startGroup(): void {
    const now = performance.now();
    let entries = 0;
    for (let count = 0; count < MOST_TOGETHER && entries < MOST_ENTRIES; count++) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      if (next.request.socket.destroyed) continue;
      entries += sizeOf(next.request);
      this.waited = now - next.since;
      next.work();
    }
    this.waited = 0;
    if (this.#waiting.length > 0) setImmediate(() => this.#startGroup());
  }
}
