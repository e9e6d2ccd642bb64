import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../domain/error.ts";
import type { Token } from "../store/registry.ts";
import { authenticate } from "./authenticate.ts";
import { methodOf } from "./method.ts";
import type { Service } from "./service.ts";
import { areIds, asksForToken } from "./target.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller's token, on every route that asks for one. */
    token: Token | null;
    /** What the registry had noticed before the token was looked up. */
    epoch: number | undefined;
  }
}

/** Longer URLs are refused, in characters. */
export const LONGEST_URL = 8192;

/** What every request passes before its route, in the order of contract section 6. */
export function addGate(app: FastifyInstance, service: Service): void {
  app.decorateRequest("token", null);
  app.decorateRequest("epoch", undefined);
  app.addHook("onRequest", async (request, reply) => {
    const { originalUrl } = request;
    if (originalUrl.length > LONGEST_URL) {
      throw new ApiError("uriTooLong", `The URL is longer than ${LONGEST_URL} characters.`);
    }
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      throw new ApiError("badRequest", "There is no Host header; HTTP/1.1 asks for one.");
    }
    // A proxy in front may have gone by another one of them than whatever is behind.
    if (timesGiven(request, "host") > 1) {
      throw new ApiError("badRequest", "There are several Host headers; HTTP/1.1 asks for one.");
    }
    const needsToken = asksForToken(originalUrl);
    if (service.draining && needsToken) {
      throw new ApiError("unavailable", "The server is stopping.", {
        "retry-after": "1",
        connection: "close",
      });
    }
    if (needsToken) {
      const { token, epoch } = await authenticate(service.store.registry, authorizationOf(request));
      request.token = token;
      request.epoch = epoch;
      reply.headers(service.rateLimit.count(token.id));
    }
    if (request.is404 || !areIds(request.params)) throw nothingHere();
    const method = methodOf(request.raw);
    if (method !== "GET" && method !== "HEAD") {
      throw new ApiError("methodNotAllowed", `The method is ${method}; accepted: GET, HEAD.`, {
        allow: "GET, HEAD",
      });
    }
  });
}

/** The Authorization header; one that is given twice says nothing, so that nobody has to guess which one counts. */
function authorizationOf(request: FastifyRequest): string | undefined {
  return timesGiven(request, "authorization") > 1 ? "" : request.headers.authorization;
}

/** How often a header was sent; Node keeps only the first one of some. */
function timesGiven({ raw: { rawHeaders } }: FastifyRequest, header: "authorization" | "host"): number {
  let given = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === header.length && name.toLowerCase() === header) given++;
  }
  return given;
}

export function nothingHere(): ApiError {
  return new ApiError("notFound", "There is nothing at this path.");
}

/** The token that the gate found. Only for routes under `/v1`, `/at` and `/explorer`. */
export function callerOf(request: FastifyRequest): Token {
  if (request.token === null) throw new Error(`${request.routeOptions.url} was reached without a token.`);
  return request.token;
}

/** The query as it was sent, without `?`. */
export function queryOf({ originalUrl }: FastifyRequest): string {
  const mark = originalUrl.indexOf("?");
  return mark < 0 ? "" : originalUrl.slice(mark + 1);
}
