import type { FastifyInstance } from "fastify";
import { ApiError } from "../domain/error.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** How many requests have not been answered to their last byte. */
    openAnswers(): number;
  }
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

/** Answered whatever the load: who watches the server must see it. */
const ALWAYS: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

export interface LoadLimits {
  readonly turn?: number;
  readonly working?: number;
  readonly unsent?: number;
}

/**
 * Refuses requests with a 503 while the server has more in hand than it can answer soon (contract, section 6). What is
 * asked first is cheap, so that refusing costs less than answering; `limits` are for tests.
 */
export function addLoad(app: FastifyInstance, limits: LoadLimits = {}): void {
  const { turn = LONGEST_TURN, working: most = MOST_WORKING, unsent: bytes = MOST_UNSENT } = limits;
  let working = 0;
  let unsent = 0;
  let answers = 0;
  let began: number | undefined;

  /** How long the running turn of the event loop has taken requests already. */
  const inTurn = () => {
    const now = performance.now();
    if (began !== undefined) return now - began;
    began = now;
    // Runs when everything that was ready in this turn has been read.
    setImmediate(() => (began = undefined));
    return 0;
  };

  app.decorate("openAnswers", () => answers);
  app.decorateRequest("working", false);
  app.decorateRequest("unsent", 0);
  app.addHook("onRequest", (request, reply, done) => {
    // When the answer has gone out, or its caller has: that may be before there is an answer.
    answers++;
    reply.raw.once("close", () => {
      answers--;
      unsent -= request.unsent ?? 0;
      request.unsent = undefined;
    });
    if (inTurn() > turn || working >= most || unsent >= bytes) {
      if (!ALWAYS.has(request.routeOptions.url)) return done(overloaded());
    }
    request.working = true;
    working++;
    done();
  });
  app.addHook("onSend", (request, _, payload, done) => {
    if (request.working) {
      request.working = false;
      working--;
      if (request.unsent !== undefined) unsent += request.unsent = sizeOf(payload);
    }
    done();
  });
}

function sizeOf(payload: unknown): number {
  return typeof payload === "string" || Buffer.isBuffer(payload) ? payload.length : 0;
}

function overloaded(): ApiError {
  return new ApiError("unavailable", "The server has too much to do; ask again.", { "retry-after": "1" });
}
