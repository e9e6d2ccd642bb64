import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "../../domain/error.ts";
import type { Token } from "../../store/revisions/organizations/registry.ts";
import { authenticate } from "./authenticate.ts";
import { methodOf } from "../request/method.ts";
import type { Service } from "../service.ts";
import { areIds, asksForToken } from "../request/target.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller's token, on every route that requires one. */
    token: Token | null;
  }
}

/** A caller whom all guards admitted. */
export interface Admitted {
  readonly token: Token;
  /** The engine's version when the token was looked up. */
  readonly version: number;
  /** Headers that describe the rate limit. */
  readonly limits: Readonly<Record<string, string>>;
}

/** Longer URLs are refused, in characters. */
export const LONGEST_URL = 8192;

/** The guards that every request passes before its route, in the order of contract section 6. */
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

/** Throws 414 or 400 for requests that are invalid on every path. */
export function refuseMisshapen({ headers, httpVersion, rawHeaders }: IncomingMessage, url: string): void {
  if (url.length > LONGEST_URL) {
    throw new ApiError("uriTooLong", `The URL is longer than ${LONGEST_URL} characters.`);
  }
  if (headers.host === undefined && httpVersion === "1.1") {
    throw new ApiError("badRequest", "There is no Host header; HTTP/1.1 requires one.");
  }
  // With two Host headers, a proxy in front of this server could use one and this server the other.
  if (timesGiven(rawHeaders, "host") > 1) {
    throw new ApiError("badRequest", "There are several Host headers; HTTP/1.1 allows one.");
  }
}

/** The caller. Throws 503 while the server stops, 401 without a valid token, and 429 above the rate limit. */
export async function admit(service: Service, request: IncomingMessage): Promise<Admitted> {
  if (service.draining) {
    throw new ApiError("unavailable", "The server is stopping.", { "retry-after": "1", connection: "close" });
  }
  const { token, version } = await authenticate(service.store.registry, authorizationOf(request));
  return { token, version, limits: service.rateLimit.count(token.id) };
}

/** Throws 404 for a path with an invalid id, and 405 for any method other than GET and HEAD. */
export function refuseMisplaced(request: IncomingMessage, parameters: unknown): void {
  if (!areIds(parameters)) throw nothingHere();
  const method = methodOf(request);
  if (method !== "GET" && method !== "HEAD") {
    throw new ApiError("methodNotAllowed", `The method is ${method}; accepted: GET, HEAD.`, {
      allow: "GET, HEAD",
    });
  }
}

/** The Authorization header. If it is sent twice, both are ignored, because the caller would be ambiguous. */
function authorizationOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  return timesGiven(rawHeaders, "authorization") > 1 ? "" : headers.authorization;
}

/** How often a header was sent. Node keeps only the first value of some headers. */
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

/** The token of a request that was admitted. Only for routes under `/v1`, `/at` and `/explorer`. */
export function callerOf(request: FastifyRequest): Token {
  if (request.token === null) throw new Error(`${request.routeOptions.url} was reached without a token.`);
  return request.token;
}

/** The query as sent, without `?`. */
export function queryOf(url: string): string {
  const mark = url.indexOf("?");
  return mark < 0 ? "" : url.slice(mark + 1);
}
