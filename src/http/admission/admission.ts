import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../../domain/error.ts";
import { entriesOf } from "../request/entries.ts";
import { PROBES } from "../request/probes.ts";
import { Turns } from "./turns.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Absent if the request was refused earlier. */
    work: Work | undefined;
  }
}

/** New requests are refused while some request has waited longer than this for its turn, in milliseconds. */
const LONGEST_WAIT = 3_000;
/** New requests are refused once this many requests are in progress, which a slow remote database can cause. */
const MOST_WORKING = 1_000;
/** New requests are refused once the requests in progress ask for this many entries together. */
const MOST_ASKED = 100_000;
/** New requests are refused while clients have not yet received this many bytes of answers. */
const MOST_UNSENT = 256 << 20;

export interface LoadLimits {
  readonly wait?: number;
  readonly working?: number;
  readonly asked?: number;
  readonly unsent?: number;
}

/** The current load of the server. */
export class Load {
  readonly #limits: Required<LoadLimits>;
  /** Requests that wait for their turn. */
  readonly turns = new Turns();
  working = 0;
  /** Entries requested by the requests in progress. */
  asked = 0;
  /** Bytes of answers that clients have not received yet. */
  unsent = 0;
  /** Requests whose answer has not been sent to its last byte. */
  answers = 0;

  /** Tests set `limits`. */
  constructor(limits: LoadLimits = {}) {
    this.#limits = {
      wait: LONGEST_WAIT,
      working: MOST_WORKING,
      asked: MOST_ASKED,
      unsent: MOST_UNSENT,
      ...limits,
    };
  }

  /** Whether the server has more requests than it can answer soon. The check costs less than an answer. */
  full(): boolean {
    const { wait, working, asked, unsent } = this.#limits;
    return (
      this.turns.waited > wait || this.working >= working || this.asked >= asked || this.unsent >= unsent
    );
  }

  /** Counts an answer, written in one call, until it is sent or its client has disconnected; then calls `done`. */
  sends(response: ServerResponse, bytes: number, done: () => void): void {
    this.answers++;
    this.unsent += bytes;
    response.once("close", () => {
      this.answers--;
      this.unsent -= bytes;
      done();
    });
  }

  /** Starts to count a request that is processed. */
  begin(url: string, response: ServerResponse): Work {
    return new Work(this, entriesOf(url), response);
  }
}

/** A request in progress. It counts until its answer is sent or its client has disconnected. */
export class Work {
  readonly #load: Load;
  readonly #asked: number;
  #working = true;
  #closed = () => {};
  /**
   * The bytes of the answer that are being sent; `undefined` once the answer is sent or the client has disconnected.
   */
  #unsent: number | undefined = 0;

  constructor(load: Load, asked: number, response: ServerResponse) {
    this.#load = load;
    this.#asked = asked;
    load.working++;
    load.asked += asked;
    load.answers++;
    // The client may disconnect before the answer is ready.
    response.once("close", () => {
      load.answers--;
      load.unsent -= this.#unsent ?? 0;
      this.#unsent = undefined;
      this.#closed();
    });
  }

  /**
   * Reports that the answer is ready and has this many bytes. `closed` is called when it is sent or its client has
   * disconnected. Only the first call counts.
   */
  end(bytes: number, closed?: () => void): void {
    if (!this.#working) return;
    if (closed !== undefined) this.#closed = closed;
    this.#working = false;
    this.#load.working--;
    this.#load.asked -= this.#asked;
    if (this.#unsent !== undefined) this.#load.unsent += this.#unsent = bytes;
  }
}

/** Refuses requests with a 503 while the server has more than it can answer soon (contract, section 6). */
export function addAdmission(app: FastifyInstance, load: Load): void {
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

function sizeOf(payload: unknown): number {
  return typeof payload === "string" || Buffer.isBuffer(payload) ? payload.length : 0;
}

/** The answer of an overloaded server. */
export function overloaded(): ApiError {
  return new ApiError("unavailable", "The server is overloaded; try again.", { "retry-after": "1" });
}
