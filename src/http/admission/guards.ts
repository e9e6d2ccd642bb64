import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../../domain/error.ts";
import type { Token } from "../../store/revisions/registry.ts";
import { authenticate } from "./authenticate.ts";
import { methodOf } from "../request/method.ts";
import type { Service } from "../service.ts";
import { areIds, asksForToken } from "../request/target.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller's token; `null` on routes that need none. */
    token: Token | null;
  }
}

export interface Admitted {
  readonly token: Token;
  /** The engine's version when the token was looked up (see `Registry.isUnchanged`). */
  readonly version: number;
  readonly limits: Readonly<Record<string, string>>;
}

/** In characters. */
export const LONGEST_URL = 8192;

/** Checks every request before its route, in the order of the contract, section 6. */
export function addGuards(app: FastifyInstance, service: Service): void {
  app.decorateRequest("token", null);
  app.addHook("onRequest", async (request, reply) => {
    refuseMisshapen(request.raw, request.originalUrl);
    if (asksForToken(request.originalUrl)) {
      const { token, limits } = await admit(service, request.raw);
      request.token = token;
      reply.headers(limits);
    }
    if (request.is404) throw nothingHere();
    refuseMisplaced(request.raw, request.params);
  });
}

/** Throws 414 or 400 for a request that is invalid on every path. */
export function refuseMisshapen({ headers, httpVersion, rawHeaders }: IncomingMessage, url: string): void {
  if (url.length > LONGEST_URL) {
    throw new ApiError("uriTooLong", `The URL is longer than ${LONGEST_URL} characters.`);
  }
  if (headers.host === undefined && httpVersion === "1.1") {
    throw new ApiError("badRequest", "There is no Host header; HTTP/1.1 requires one.");
  }
  // A proxy in front of this server might use another of the two Host headers.
  if (timesGiven(rawHeaders, "host") > 1) {
    throw new ApiError("badRequest", "There are several Host headers; HTTP/1.1 allows one.");
  }
}

/**
 * Authenticates the caller. Throws 503 while the server stops, 401 without a valid token, and 429 above the rate limit.
 */
export async function admit(service: Service, request: IncomingMessage): Promise<Admitted> {
  if (service.draining) {
    throw new ApiError("unavailable", "The server is stopping.", { "retry-after": "1", connection: "close" });
  }
  const { token, version } = await authenticate(service.store.registry, authorizationOf(request));
  return { token, version, limits: service.rateLimit.count(token.id) };
}

/** Throws 404 for an invalid id in the path, and 405 for a method other than GET and HEAD. */
export function refuseMisplaced(request: IncomingMessage, parameters: unknown): void {
  if (!areIds(parameters)) throw nothingHere();
  const method = methodOf(request);
  if (method !== "GET" && method !== "HEAD") {
    throw new ApiError("methodNotAllowed", `The method is ${method}; accepted: GET, HEAD.`, {
      allow: "GET, HEAD",
    });
  }
}

/**
 * The Authorization header. Two such headers count as an invalid one, because it is not clear which caller is meant.
 */
function authorizationOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  return timesGiven(rawHeaders, "authorization") > 1 ? "" : headers.authorization;
}

/** Counts a header in the raw headers, because Node drops repeated ones. */
function timesGiven(rawHeaders: readonly string[], header: "authorization" | "host"): number {
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

/** The caller's token. Only for routes under `/v1`, `/at` and `/explorer`, which the guards admit only with a token. */
export function callerOf(request: FastifyRequest): Token {
  if (request.token === null) throw new Error(`${request.routeOptions.url} was reached without a token.`);
  return request.token;
}

export function queryOf(url: string): string {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
}
