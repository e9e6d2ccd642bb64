import type { IncomingMessage, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import type { Token } from "../../store/revisions/registry.ts";
import type { Answered } from "../request-events.ts";
import { endWith } from "./body.ts";
import type { Load } from "../admission/admission.ts";
import type { Service } from "../service.ts";

/** A request's answer, and for how long it stays the same. */
interface Kept {
  /** The engine's version when the request came; since then neither the organization nor its tokens may have changed. */
  readonly version: number;
  readonly token: Token;
  /** When the token expires, in milliseconds since 1970. */
  readonly expires: number;
  readonly route: string;
  /** Under which the page cache has the body. */
  readonly page: string;
  /** All but those of the rate limit and those that Node adds: name, value, name, value. */
  readonly headers: string[];
}

/** What is kept of answers, beside their bodies, in bytes. */
const KEPT = 4 << 20;

/**
 * Requests that come again, in the same words, while nothing has changed: they are answered before anything is parsed,
 * routed or decided. Whatever a refusal or another answer could follow from makes this step aside.
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

  /** Answers the request, if it is known; `tell` hears of it when the answer has gone out. False: somebody else has to. */
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

  /** Remembers the answer that a request was given: 200, of the current revision. */
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

/** All of a request that its answer follows from; `undefined` where it asks for more than a page. */
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

/** Headers with which a request asks for more than a page. */
const ASKING_MORE = new Set(["if-none-match", "content-length", "transfer-encoding", "expect", "upgrade"]);

/** Lengths of the header names that matter: most others need not be looked at. */
const LENGTHS = new Set(["host", "authorization", ...ASKING_MORE].map(({ length }) => length));
