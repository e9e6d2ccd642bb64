import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../../domain/error.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../../domain/page.ts";
import { PROBES } from "../probes.ts";
import { Turns } from "./turns.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Absent where the request was refused before. */
    work: Work | undefined;
  }
}

/** How long a request may have waited for its turn, in milliseconds: those behind it would wait longer. */
const LONGEST_WAIT = 3_000;
/** Requests that are being worked on at once, and the entries that they ask for: they pile up at a remote database. */
const MOST_WORKING = 1_000;
const MOST_ASKED = 100_000;
/** Bytes of answers that callers have not taken yet. */
const MOST_UNSENT = 256 << 20;

export interface LoadLimits {
  readonly wait?: number;
  readonly working?: number;
  readonly asked?: number;
  readonly unsent?: number;
}

/** What the server has in hand. */
export class Load {
  readonly #limits: Required<LoadLimits>;
  /** Those whose turn has not come. */
  readonly turns = new Turns();
  working = 0;
  /** Entries that those ask for who are being worked on. */
  asked = 0;
  /** Bytes of answers that callers have not taken yet. */
  unsent = 0;
  /** How many requests have not been answered to their last byte. */
  answers = 0;

  /** `limits` are for tests. */
  constructor(limits: LoadLimits = {}) {
    this.#limits = {
      wait: LONGEST_WAIT,
      working: MOST_WORKING,
      asked: MOST_ASKED,
      unsent: MOST_UNSENT,
      ...limits,
    };
  }

  /** Whether it is more than can be answered soon. Asking costs less than answering. */
  full(): boolean {
    const { wait, working, asked, unsent } = this.#limits;
    return (
      this.turns.waited > wait || this.working >= working || this.asked >= asked || this.unsent >= unsent
    );
  }

  /** Counts an answer that is written at once, until it has gone out or its caller has; then calls `done`. */
  sends(response: ServerResponse, bytes: number, done: () => void): void {
    this.answers++;
    this.unsent += bytes;
    response.once("close", () => {
      this.answers--;
      this.unsent -= bytes;
      done();
    });
  }

  /** Counts a request that is worked on. */
  begin(url: string, response: ServerResponse): Work {
    return new Work(this, entriesOf(url), response);
  }
}

/** A request that is worked on until its answer is there, which counts until it has gone out or its caller has. */
export class Work {
  readonly #load: Load;
  readonly #asked: number;
  #working = true;
  #closed = () => {};
  /** Bytes of the answer that are on their way; `undefined` once the answer, or the caller, is gone. */
  #unsent: number | undefined = 0;

  constructor(load: Load, asked: number, response: ServerResponse) {
    this.#load = load;
    this.#asked = asked;
    load.working++;
    load.asked += asked;
    load.answers++;
    // The caller may be gone before there is an answer.
    response.once("close", () => {
      load.answers--;
      load.unsent -= this.#unsent ?? 0;
      this.#unsent = undefined;
      this.#closed();
    });
  }

  /** The answer is there, of so many bytes; `closed` is called when it has gone out, or its caller has. Only the first call counts. */
  end(bytes: number, closed?: () => void): void {
    if (!this.#working) return;
    if (closed !== undefined) this.#closed = closed;
    this.#working = false;
    this.#load.working--;
    this.#load.asked -= this.#asked;
    if (this.#unsent !== undefined) this.#load.unsent += this.#unsent = bytes;
  }
}

/** Refuses requests with a 503 while the server has more in hand than it can answer soon (contract, section 6). */
export function addLoad(app: FastifyInstance, load: Load): void {
  app.decorateRequest("work", undefined);
  app.addHook("onRequest", (request, reply, done) => {
    const full = load.full() && !PROBES.has(request.routeOptions.url);
    request.work = load.begin(request.originalUrl, reply.raw);
    if (!full) return done();
    request.work.end(0);
    done(overloaded());
  });
  app.addHook("onSend", (request, _, payload, done) => {
    request.work?.end(sizeOf(payload));
    done();
  });
}

/** How many entries a URL asks for, before anybody has read it well. */
function entriesOf(url: string): number {
  const [, limit] = /[?&]limit=(\d{1,4})(?:&|$)/.exec(url) ?? [];
  return limit === undefined ? DEFAULT_LIMIT : Math.min(Number(limit), MAX_LIMIT);
}

function sizeOf(payload: unknown): number {
  return typeof payload === "string" || Buffer.isBuffer(payload) ? payload.length : 0;
}

/** The answer of a server that has more in hand than it can answer soon. */
export function overloaded(): ApiError {
  return new ApiError("unavailable", "The server has too much to do; ask again.", { "retry-after": "1" });
}
