import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../domain/error.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../domain/page.ts";
import { PROBES } from "./probes.ts";
import { Turns } from "./turns.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Entries that it asks for; `undefined` while it is not being worked on. */
    asked: number | undefined;
    /** Bytes of its answer that are on their way; `undefined` once the answer, or the caller, is gone. */
    unsent: number | undefined;
  }
}

/** How long a request may have waited for its turn, in milliseconds: those behind it would wait longer. */
const LONGEST_WAIT = 3_000;
/** Requests that are being worked on at once, and the entries that they ask for: they pile up at a distant database. */
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
}

/** Refuses requests with a 503 while the server has more in hand than it can answer soon (contract, section 6). */
export function addLoad(app: FastifyInstance, load: Load): void {
  app.decorateRequest("asked", undefined);
  app.decorateRequest("unsent", 0);
  app.addHook("onRequest", (request, reply, done) => {
    // When the answer has gone out, or its caller has: that may be before there is an answer.
    load.answers++;
    reply.raw.once("close", () => {
      load.answers--;
      load.unsent -= request.unsent ?? 0;
      request.unsent = undefined;
    });
    if (load.full() && !PROBES.has(request.routeOptions.url)) return done(overloaded());
    load.working++;
    load.asked += request.asked = entriesOf(request.originalUrl);
    done();
  });
  app.addHook("onSend", (request, _, payload, done) => {
    if (request.asked !== undefined) {
      load.working--;
      load.asked -= request.asked;
      request.asked = undefined;
      if (request.unsent !== undefined) load.unsent += request.unsent = sizeOf(payload);
    }
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
