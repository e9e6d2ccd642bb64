import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Admitted } from "../admission/guards.ts";

/** What refuses a request that never came to the router. */
export interface Refusal {
  readonly error: Error;
  /** The route's template, and when the request came, by `performance.now()`. */
  readonly route: string;
  readonly began: number;
  /** The caller, where the gate let them pass. */
  readonly caller: Admitted | undefined;
}

const refusals = new WeakMap<IncomingMessage, Refusal>();

/** Has the router refuse a request; to be called before it is given to it. */
export function refuseLater(request: IncomingMessage, refusal: Refusal): void {
  refusals.set(request, refusal);
}

/** Why a request was refused before it came to the router. */
export function refusalOf(request: IncomingMessage): Refusal | undefined {
  return refusals.get(request);
}

/** Refuses what is to be refused: in one place, in one form, whoever found out. */
export function addRefused(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    const refusal = refusals.get(request.raw);
    if (refusal === undefined) return done();
    const { error, caller } = refusal;
    if (caller !== undefined) {
      request.token = caller.token;
      reply.headers(caller.limits);
    }
    done(error);
  });
}
