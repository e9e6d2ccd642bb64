import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Admitted } from "../admission/guards.ts";

/** A refusal of a request that did not reach the router. */
export interface Refusal {
  readonly error: Error;
  /** The route's template, and the arrival time of the request by `performance.now()`. */
  readonly route: string;
  readonly began: number;
  /** The caller, if the guards admitted the request. */
  readonly caller: Admitted | undefined;
}

const refusals = new WeakMap<IncomingMessage, Refusal>();

/** Stores a refusal that the router will send. Call it before the router gets the request. */
export function refuseLater(request: IncomingMessage, refusal: Refusal): void {
  refusals.set(request, refusal);
}

/** The refusal of a request that did not reach the router. */
export function refusalOf(request: IncomingMessage): Refusal | undefined {
  return refusals.get(request);
}

/** Adds the handler that sends all refusals in one form. */
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
