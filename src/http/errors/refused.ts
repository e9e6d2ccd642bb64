import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Admitted } from "../admission/guards.ts";

/** A refusal of a request that the router has not seen. */
export interface Refusal {
  readonly error: Error;
  /** `route` is a template. `began` is when the request arrived, by `performance.now()`. */
  readonly route: string;
  readonly began: number;
  /** Absent if the guards did not admit the request. */
  readonly caller: Admitted | undefined;
}

const refusals = new WeakMap<IncomingMessage, Refusal>();

/** Keeps a refusal for a request. The router, to which the request goes next, sends it. */
export function refuseLater(request: IncomingMessage, refusal: Refusal): void {
  refusals.set(request, refusal);
}

export function refusalOf(request: IncomingMessage): Refusal | undefined {
  return refusals.get(request);
}

/** Sends the kept refusals, in the same form as those of routes. */
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
