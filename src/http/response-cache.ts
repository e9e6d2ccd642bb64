import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import type { Token } from "../store/revisions/registry.ts";
import type { Body } from "./exchange.ts";

/** A page as it was sent to one caller. */
interface KeptPage {
  /** The engine's version when the request arrived. The answer is valid while `Registry.isUnchanged` holds for it. */
  readonly version: number;
  readonly token: Token;
  /** Names and values in turn, without the headers of the rate limit. */
  readonly headers: string[];
  readonly body: Body;
  readonly revision: number | undefined;
  readonly rows: number | undefined;
}

/** The most memory for the texts of requests that were sent once, in bytes: half of it for each of two sets. */
const NOTED = 1 << 20;

/**
 * Caches answers by the text of the request, so that a repeated request is not parsed, routed, authorized or painted
 * again. An answer is cached when its request comes for the second time, because answers that are requested once would
 * evict the others, and is used only while all steps would lead to it again. Bounded in bytes.
 */
export class ResponseCache {
  readonly #kept: LRUCache<string, KeptPage>;
  /** The requests that were sent once: the latest ones, and those before. Two sets take less time than an LRU cache. */
  #once = new Set<string>();
  #onceBefore = new Set<string>();
  #noted = 0;
  readonly #atOnce: boolean;
  /** The answers that were sent from the cache. */
  hits = 0;

  /** `atOnce` caches an answer to its first request, for tests. */
  constructor(bytes: number, atOnce = false) {
    this.#atOnce = atOnce;
    this.#kept = new LRUCache({
      maxSize: bytes,
      sizeCalculation: ({ headers, body }, request) =>
        500 + 2 * request.length + headers.join().length + body.length,
    });
  }

  /** The cached answer to a request, which is valid only while its token and its version are. */
  get(request: IncomingMessage): KeptPage | undefined {
    const text = textOf(request);
    return text === undefined ? undefined : this.#kept.get(text);
  }

  keep(request: IncomingMessage, answer: KeptPage): void {
    const text = textOf(request);
    if (text === undefined) return;
    if (this.#atOnce || this.#kept.has(text) || this.#once.delete(text) || this.#onceBefore.delete(text)) {
      this.#kept.set(text, { ...answer, body: encoded(answer.body) });
      return;
    }
    this.#once.add(text);
    this.#noted += 2 * text.length + 200;
    if (this.#noted < NOTED / 2) return;
    [this.#once, this.#onceBefore, this.#noted] = [new Set(), this.#once, 0];
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }
}

/** Up to this many bytes, Node sends a string together with the head in one write, which is faster than two. */
const SMALL_BODY = 4096;

/** The body of an answer that is sent repeatedly, encoded once. */
export function encoded({ data, encoding, length }: Body): Body {
  const bytes = typeof data === "string" ? Buffer.from(data, encoding) : data;
  return { data: length > SMALL_BODY ? bytes : bytes.toString("latin1"), encoding: "latin1", length };
}

/** All that the answer to a request depends on; `undefined` if the answer may differ from a cached page. */
function textOf({ method, httpVersion, url, rawHeaders }: IncomingMessage): string | undefined {
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
