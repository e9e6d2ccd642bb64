/**
 * One request and its answer, from the request's turn until the answer is sent.
 *
 * Fastify finds the handler of a request; the answer is written to Node's response directly, because Fastify's own way
 * (hooks, a header object, a serializer) costs more than a short page.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Token } from "../store/revisions/registry.ts";
import { clientOf } from "./callers.ts";
import { type Caller, type Load, overloaded } from "./load.ts";

declare module "fastify" {
  interface FastifyRequest {
    exchange: Exchange | undefined;
  }
}

type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  /** In the order in which they are sent: an object, or names and values in turn. */
  readonly headers: Headers | string[];
  readonly body: Body | Readable;
}

/** A body of an answer, in the form that Node sends fastest. */
export interface Body {
  readonly data: string | Buffer;
  /** The encoding of `data` if it is a string. */
  readonly encoding: "utf8" | "latin1";
  /** In bytes. */
  readonly length: number;
}

/** The body of an answer that is sent once: a string. Node sends it together with the head in one write. */
export function bodyOf(text: string): Body {
  const length = Buffer.byteLength(text);
  return { data: text, encoding: length === text.length ? "latin1" : "utf8", length };
}

export const NO_BODY: Body = { data: "", encoding: "latin1", length: 0 };

/** Keeps browsers from taking a body for another type than the one that it is sent with; on every answer. */
export const NOSNIFF = ["x-content-type-options", "nosniff"] as const;

export const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/** An answer with a body of known length. */
export function answer(status: number, headers: Headers, body: Body): Answer {
  return { status, headers: { ...headers, "content-length": String(body.length) }, body };
}

export type Handler = (exchange: Exchange) => Answer | Promise<Answer>;

/**
 * What a route is. A `page` asks for entries and may be answered from the cache. A `probe` is for monitoring: it does
 * not wait, is answered under any load, and is logged only if it fails, or at level debug.
 */
export type RouteKind = "page" | "probe";

export interface Route {
  /** An OpenAPI template such as `/v1/spaces/{spaceId}`. */
  readonly path: string;
  /** The only method that the route has; by default GET and HEAD. A route with `POST` reads its body, if it has one, in its handler. */
  readonly method?: "POST";
  readonly kind?: RouteKind;
  /** Whether a path under a guarded segment needs no token. */
  readonly open?: true;
  readonly handler: Handler;
}

export function methodsOf({ method }: Route): ("GET" | "HEAD" | "POST")[] {
  return method === undefined ? ["GET", "HEAD"] : [method];
}

/** Decoded path parameters, by name. */
export type PathParameters = Readonly<Record<string, string>>;

/** What the router finds in a URL. */
export interface Shape {
  Params: PathParameters;
  /** The query as it was sent, without `?`. */
  Querystring: { readonly text: string };
}

export type Request = FastifyRequest<Shape>;

/** What is logged and counted of a request. */
export interface Answered {
  readonly method: string;
  /** An OpenAPI template such as `/v1/spaces/{spaceId}`; `none` if no route matches. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly token: Token | null;
  /** The client's address, only if the request was refused. */
  readonly client: string | undefined;
}

/** How long a refused request may go on sending its body, in milliseconds. */
const LONGEST_REST = 1000;

/** A request from its turn until its answer is sent or its client has disconnected. Until then it counts as load. */
export class Exchange {
  readonly request: Request;
  readonly route: Route;
  /** The caller's token; `null` on routes that need none, and until admission has found it. */
  token: Token | null = null;
  /** The engine's version when the token was looked up (see `Registry.isUnchanged`). */
  version = 0;
  /** The revision of the answer, and the number of entries, rows or records in it, for the log. */
  revision: number | undefined;
  rows: number | undefined;
  /** The headers of the rate limit. */
  limits: Headers = {};
  readonly #began = performance.now();
  readonly #reply: FastifyReply;
  readonly #load: Load;
  readonly #asked: number;
  #caller: Caller;
  /** Whether the answer is still being made, even if the client has disconnected. */
  #working = true;
  #isWaiting = false;
  #isClosed = false;
  #unsent = 0;

  /**
   * `caller` is the caller as far as it is known yet; `asked` is the number of entries that the request asks for. `tell`
   * is called when the answer is sent or cut; never if the client disconnects before there is an answer.
   */
  constructor(
    request: Request,
    reply: FastifyReply,
    route: Route,
    load: Load,
    caller: Caller,
    asked: number,
    tell: (exchange: Exchange) => void,
  ) {
    this.request = request;
    this.route = route;
    this.#reply = reply;
    this.#load = load;
    this.#asked = asked;
    request.exchange = this;
    this.#caller = caller;
    this.#work(1);
    load.answers++;
    reply.raw.once("close", () => {
      this.#isClosed = true;
      load.answers--;
      load.unread.delete(request.raw);
      load.send(this.#caller, -this.#unsent);
      if (!this.#working) tell(this);
    });
  }

  #work(by: 1 | -1): void {
    this.#load.work(this.#caller, by, this.#asked);
  }

  /**
   * Counts the request for the caller whose token was found. A request that had its turn as another caller, such as an
   * address, waits for its turn again: then the result is true. Throws 503 if the server is overloaded. Does not end if
   * the client disconnects meanwhile.
   */
  async countFor(caller: string): Promise<boolean> {
    if (caller === this.#caller.name) return false;
    this.#work(-1);
    const entries = this.route.kind === "page" ? this.#asked : undefined;
    await new Promise<void>((resolve, reject) => {
      this.#load.take(caller, this.request.raw, entries, (found, isRefused) => {
        this.#caller = found;
        this.#work(1);
        if (isRefused) reject(overloaded());
        else resolve();
      });
    });
    return true;
  }

  /**
   * Takes note that the request waits, or does so no longer, for an organization that is loaded. Meanwhile it holds
   * nothing of what callers share.
   */
  wait(isWaiting: boolean): void {
    // A refusal does not wait for the page that was read beside the check.
    if (!this.#working) return;
    this.#isWaiting = isWaiting;
    // A caller who held nothing was forgotten.
    if (!isWaiting) this.#caller = this.#load.caller(this.counted);
    this.#work(isWaiting ? -1 : 1);
  }

  /** The name of the caller for whom the request counts. */
  get counted(): string {
    return this.#caller.name;
  }

  get parameters(): PathParameters {
    return this.request.params;
  }

  /** The caller's token, on routes that need one. */
  get caller(): Token {
    if (this.token === null) throw new Error(`${this.route.path} was reached without a token.`);
    return this.token;
  }

  /** The query as it was sent, without `?`. */
  get query(): string {
    return this.request.query.text;
  }

  /** The headers with which every answer but a listing's begins. */
  get headers(): Headers {
    return asksForOther(this.request.headers) ? { connection: "close", ...this.limits } : this.limits;
  }

  /** Writes the answer. Fastify does nothing more for the request. */
  write({ status, headers, body }: Answer): void {
    const { raw } = this.#reply;
    const isUnread = status >= 400 && hasMore(this.request.raw);
    if (isUnread) raw.shouldKeepAlive = false;
    const [name, value] = NOSNIFF;
    raw.writeHead(status, Array.isArray(headers) ? [...headers, name, value] : { ...headers, [name]: value });
    this.#reply.hijack();
    this.#working = false;
    if (!(body instanceof Readable) && !this.#isClosed) {
      this.#unsent = body.length;
      this.#load.unread.set(this.request.raw, this.#caller);
      this.#load.send(this.#caller, body.length);
    }
    if (!this.#isWaiting) this.#work(-1);
    if (body instanceof Readable) {
      // An error cuts the answer, so that no client takes it for complete.
      pipeline(body, raw, () => {});
      return;
    }
    if (isUnread) this.#endAfterRest(body);
    else raw.end(body.data, body.encoding);
  }

  /**
   * Sends a refusal at once, and closes the connection when the rest of the request's body has come, or did not come in
   * time. If the connection were closed earlier, a client that is still sending could lose the refusal.
   */
  #endAfterRest({ data, encoding }: Body): void {
    const { raw } = this.#reply;
    raw.flushHeaders();
    raw.write(data, encoding);
    const end = () => {
      clearTimeout(timer);
      raw.end();
    };
    const timer = setTimeout(end, LONGEST_REST);
    this.request.raw.resume().once("end", end).once("close", end);
  }

  answered(): Answered {
    const { request, token } = this;
    const { statusCode: status } = this.#reply.raw;
    return {
      method: request.method,
      route: this.route.path,
      status,
      milliseconds: performance.now() - this.#began,
      token,
      client: status < 400 ? undefined : clientOf(request),
    };
  }
}

/** What an `Accept` or `Accept-Encoding` header names, each with its weight (RFC 9110, section 12.4.2). */
export function weightsIn(header: string): ReadonlyMap<string, number> {
  const named = header.toLowerCase().split(",");
  return new Map(
    named.toReversed().map((each): [string, number] => {
      const [name = "", ...parameters] = each.split(";").map((part) => part.trim());
      const weight = parameters.find((part) => part.startsWith("q="))?.slice(2) ?? "1";
      return [name, /^[01](\.\d{0,3})?$/.test(weight) ? Number(weight) : 0];
    }),
  );
}

/** Whether a part of a request's body has not been received. */
function hasMore({ complete, headers }: IncomingMessage): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return !complete && (encoding !== undefined || length !== "0");
}

/**
 * Whether a request asks for another protocol. Its connection must be closed, because Node's parser would drop all
 * later input without an answer. A request for HTTP/2 (`h2c`), which some libraries send on every connection, leaves it
 * open; if no HTTP/1.1 request follows, a time limit closes it.
 */
export function asksForOther({ upgrade }: IncomingHttpHeaders): boolean {
  return upgrade !== undefined && upgrade.toLowerCase() !== "h2c";
}
