import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../domain/error.ts";
import { PROBES } from "./probes.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whether it is being worked on. */
    working: boolean;
    /** Bytes of its answer that are on their way; `undefined` once the answer, or the caller, is gone. */
    unsent: number | undefined;
  }
}

/** How long one turn of the event loop takes new work, in milliseconds: whoever comes later in it waits longer. */
const LONGEST_TURN = 1_000;
/** Requests that are being worked on at once; where a database is waited for, they would pile up. */
const MOST_WORKING = 1_000;
/** Bytes of answers that callers have not taken yet. */
const MOST_UNSENT = 256 << 20;

export interface LoadLimits {
  readonly turn?: number;
  readonly working?: number;
  readonly unsent?: number;
}

/** What the server has in hand. */
export class Load {
  readonly #limits: Required<LoadLimits>;
  working = 0;
  /** Bytes of answers that callers have not taken yet. */
  unsent = 0;
  /** How many requests have not been answered to their last byte. */
  answers = 0;
  #began: number | undefined;

  /** `limits` are for tests. */
  constructor({ turn = LONGEST_TURN, working = MOST_WORKING, unsent = MOST_UNSENT }: LoadLimits = {}) {
    this.#limits = { turn, working, unsent };
  }

  /** Whether it is more than can be answered soon. Asking costs less than answering. */
  full(): boolean {
    const { turn, working, unsent } = this.#limits;
    return this.#inTurn() > turn || this.working >= working || this.unsent >= unsent;
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

  /** How long the running turn of the event loop has taken requests already, in milliseconds. */
  #inTurn(): number {
    const now = performance.now();
    if (this.#began !== undefined) return now - this.#began;
    this.#began = now;
    // Runs when everything that was ready in this turn has been read.
    setImmediate(() => (this.#began = undefined));
    return 0;
  }
}

/** Refuses requests with a 503 while the server has more in hand than it can answer soon (contract, section 6). */
export function addLoad(app: FastifyInstance, load: Load): void {
  app.decorateRequest("working", false);
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
    request.working = true;
    load.working++;
    done();
  });
  app.addHook("onSend", (request, _, payload, done) => {
    if (request.working) {
      request.working = false;
      load.working--;
      if (request.unsent !== undefined) load.unsent += request.unsent = sizeOf(payload);
    }
    done();
  });
}

function sizeOf(payload: unknown): number {
  return typeof payload === "string" || Buffer.isBuffer(payload) ? payload.length : 0;
}

/** The answer of a server that has more in hand than it can answer soon. */
export function overloaded(): ApiError {
  return new ApiError("unavailable", "The server has too much to do; ask again.", { "retry-after": "1" });
}
