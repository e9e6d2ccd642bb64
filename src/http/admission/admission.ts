import type { ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../../domain/error.ts";
import { entriesOf } from "../request/entries.ts";
import { PROBES } from "../request/probes.ts";
import { Turns } from "./turns.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Absent if a hook refused the request earlier. */
    work: Work | undefined;
  }
}

/** The server is overloaded when a request has waited longer than this for its turn, in milliseconds. */
const LONGEST_WAIT = 3_000;
/** The server is overloaded when it processes this many requests. A slow remote database can cause that. */
const MOST_WORKING = 1_000;
/** The server is overloaded when the requests in progress ask for this many entries together. */
const MOST_ASKED = 100_000;
/** The server is overloaded when this many bytes of answers are not sent yet. */
const MOST_UNSENT = 256 << 20;

export interface LoadLimits {
  readonly wait?: number;
  readonly working?: number;
  readonly asked?: number;
  readonly unsent?: number;
}

export class Load {
  readonly #limits: Required<LoadLimits>;
  readonly turns = new Turns();
  working = 0;
  /** The entries for which the requests in progress ask. */
  asked = 0;
  /** The bytes of answers that are not sent yet. */
  unsent = 0;
  /** The requests whose answer is not sent completely. */
  answers = 0;

  /** Only tests pass `limits`. */
  constructor(limits: LoadLimits = {}) {
    this.#limits = {
      wait: LONGEST_WAIT,
      working: MOST_WORKING,
      asked: MOST_ASKED,
      unsent: MOST_UNSENT,
      ...limits,
    };
  }

  /** Whether the server is overloaded and refuses new requests. The check costs less than an answer. */
  full(): boolean {
    const { wait, working, asked, unsent } = this.#limits;
    return (
      this.turns.waited > wait || this.working >= working || this.asked >= asked || this.unsent >= unsent
    );
  }

  /**
   * Counts an answer that was written in one call, until it is sent or the client has disconnected. Then calls `done`.
   */
  sends(response: ServerResponse, bytes: number, done: () => void): void {
    this.answers++;
    this.unsent += bytes;
    response.once("close", () => {
      this.answers--;
      this.unsent -= bytes;
      done();
    });
  }

  begin(url: string, response: ServerResponse): Work {
    return new Work(this, entriesOf(url), response);
  }
}

/** A request that counts as load until its answer is sent or the client has disconnected. */
export class Work {
  readonly #load: Load;
  readonly #asked: number;
  #working = true;
  #closed = () => {};
  /** The bytes of the answer; `undefined` once the answer is sent or the client has disconnected. */
  #unsent: number | undefined = 0;

  constructor(load: Load, asked: number, response: ServerResponse) {
    this.#load = load;
    this.#asked = asked;
    load.working++;
    load.asked += asked;
    load.answers++;
    // The response also closes if the client disconnects before the answer is ready.
    response.once("close", () => {
      load.answers--;
      load.unsent -= this.#unsent ?? 0;
      this.#unsent = undefined;
      this.#closed();
    });
  }

  /**
   * The answer is ready and has this many bytes. Calls `closed` when it is sent or the client has disconnected. Calls
   * after the first one do nothing.
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

/** Refuses requests with a 503 while the server is overloaded (contract, section 6). Probes are always answered. */
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

export function overloaded(): ApiError {
  return new ApiError("unavailable", "The server is overloaded; try again.", { "retry-after": "1" });
}
