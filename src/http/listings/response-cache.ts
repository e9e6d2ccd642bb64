import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Token } from "../../store/revisions/organizations/registry.ts";
import type { Answered } from "../request/request-events.ts";
import { endWith } from "./body.ts";
import type { Load } from "../admission/admission.ts";
import type { Service } from "../service.ts";

interface Kept {
  /** The engine's version when the request arrived. The answer is valid while `Registry.isUnchanged` holds for it. */
  readonly version: number;
  readonly token: Token;
  /** In milliseconds since 1970. */
  readonly expires: number;
  readonly route: string;
  /** The key of the body in the page cache. */
  readonly page: string;
  /** Names and values in turn, without the headers of the rate limit. */
  readonly headers: string[];
}

/** The most memory for cached answers, without their bodies, in bytes. */
const KEPT = 4 << 20;

/**
 * Caches answers by the text of the request, so that a repeated request is not parsed, routed or authorized again. A
 * cached answer is used only while these steps would lead to it again.
 */
export class ResponseCache {
  readonly #service: Service;
  readonly #load: Load;
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: KEPT,
    sizeCalculation: ({ headers, page }, request) =>
      500 + request.length + page.length + headers.join().length,
  });

  constructor(service: Service, load: Load) {
    this.#service = service;
    this.#load = load;
  }

  /**
   * Answers a request whose answer is cached, and calls `tell` when the answer is sent. Returns false for other
   * requests.
   */
  answer(request: IncomingMessage, response: ServerResponse, tell: (answered: Answered) => void): boolean {
    const { store, pages, rateLimit } = this.#service;
    const words = wordsOf(request);
    const kept = words === undefined ? undefined : this.#kept.get(words);
    if (kept === undefined || kept.expires <= Date.now()) return false;
    const { token, route, page, version } = kept;
    if (!store.registry.isUnchanged(token.organization, version)) return false;
    if (this.#service.draining || this.#load.full() || rateLimit.isUsedUp(token.id)) return false;
    const body = pages.has(page) ? pages.get(page) : undefined;
    if (body === undefined) return false;
    const began = performance.now();
    const limits = Object.entries(rateLimit.count(token.id));
    this.#load.sends(response, body.length, () => {
      tell({ method: "GET", route, status: 200, milliseconds: performance.now() - began, token });
    });
    response.writeHead(200, limits.length === 0 ? kept.headers : [...kept.headers, ...limits.flat()]);
    endWith(response, body);
    return true;
  }

  keep(request: IncomingMessage, answer: Omit<Kept, "expires">): void {
    const words = wordsOf(request);
    if (words === undefined) return;
    const { expiresAt } = answer.token;
    this.#kept.set(words, {
      ...answer,
      expires: expiresAt === undefined ? Infinity : Date.parse(expiresAt),
    });
  }
}

/** All that the answer to a request depends on; `undefined` if the answer may differ from a cached page. */
function wordsOf({ method, httpVersion, url, rawHeaders }: IncomingMessage): string | undefined {
  if (method !== "GET" || httpVersion !== "1.1") return undefined;
  let authorization: string | undefined;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!LENGTHS.has(name.length)) continue;
    const known = name.toLowerCase();
    if (known === "host") hosts++;
    else if (known === "authorization") {
      if (authorization !== undefined) return undefined;
      authorization = rawHeaders[index + 1];
    } else if (ASKING_MORE.has(known)) return undefined;
  }
  return authorization === undefined || hosts !== 1 ? undefined : `${authorization}\n${url}`;
}

/** Requests with these headers may get another answer than a cached page. */
const ASKING_MORE = new Set(["if-none-match", "content-length", "transfer-encoding", "expect", "upgrade"]);

/** The lengths of the relevant header names. Comparing lengths first quickly rules out most other headers. */
const LENGTHS = new Set(["host", "authorization", ...ASKING_MORE].map(({ length }) => length));
