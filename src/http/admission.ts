/**
 * Admission: what is checked of every request before its handler, in the order of docs/errors.md.
 *
 * 503 while the server is overloaded; 414 and 400 for a request that is wrong on every path; where a token is needed,
 * 503 while the server stops, 401 without a valid token and 429 above the rate limit; 404 for a path that does not
 * exist; 405 for a method that the path does not have.
 */
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ApiError } from "../domain/error.ts";
import { LONGEST_ID } from "../operations/parameters.ts";
import { type FoundToken, hasExpired } from "../store/revisions/registry.ts";
import type { Callers } from "./callers.ts";
import { type Exchange, methodsOf } from "./exchange.ts";
import type { Service } from "./service.ts";
import { mustHaveOurOrigin } from "./sign-in/sessions.ts";

/** In characters. */
export const LONGEST_URL = 8192;

/**
 * Comes before the handler of every route. Throws the refusal, or finds the caller. `parameters` are the decoded path
 * parameters; `null` if the path does not exist.
 */
export async function admit(
  service: Service,
  callers: Callers,
  exchange: Exchange,
  parameters: object | null,
): Promise<void> {
  const { request, route } = exchange;
  refuseMisshapen(request.raw, request.originalUrl);
  if (route.open !== true && asksForToken(request.originalUrl)) {
    if (service.draining) {
      throw new ApiError("unavailable", "The server is stopping.", {
        "retry-after": "1",
        connection: "close",
      });
    }
    const find = () =>
      authenticate(service, exchange).catch((error: unknown) => {
        // Whoever has a revoked token must not use up the share of its member.
        callers.forget(request.raw);
        throw error;
      });
    let found = await find();
    const caller = callers.learn(request.raw, found.token);
    // The token may be revoked while the request waits.
    if (await exchange.countFor(caller)) found = await find();
    const { token, version } = found;
    exchange.limits = service.rateLimit.count(token);
    exchange.token = token;
    exchange.version = version;
  }
  if (parameters === null || !areIds(parameters)) throw nothingHere();
  const { method } = request;
  const accepted: readonly string[] = methodsOf(route);
  if (!accepted.includes(method)) {
    const allow = accepted.join(", ");
    throw new ApiError("methodNotAllowed", `The method is ${method}; accepted: ${allow}.`, { allow });
  }
}

/** Throws 414 or 400 for a request that is invalid on every path. */
function refuseMisshapen({ headers, httpVersion, rawHeaders }: IncomingMessage, url: string): void {
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

const SCHEME = /^Bearer +(\S+) *$/i;
const TOKEN = /^rb_[A-Za-z0-9_-]{43}$/;

/**
 * Looks up the token of a request, or the session if there is no Authorization header and the explorer is asked. Throws
 * 401 if it is missing, malformed, unknown, expired or revoked. All tokens that are sent get the same message, which
 * does not reveal whether a token exists. Throws 403 for a session that another site's request carries.
 */
async function authenticate(
  { store, sessions, publicUrl }: Service,
  { request, route }: Exchange,
): Promise<FoundToken> {
  const { headers, rawHeaders } = request.raw;
  const { authorization } = headers;
  if (authorization === undefined) {
    const isExplorer = firstOf(request.originalUrl) === "explorer";
    const found = isExplorer ? await sessions?.find(headers) : undefined;
    const isPosted = route.method === "POST" && request.method === "POST";
    if (found !== undefined && isPosted) mustHaveOurOrigin(headers, publicUrl);
    if (found !== undefined) return found;
    throw unauthorized("There is no token; send Authorization: Bearer <token>.");
  }
  // Two headers count as an invalid one, because it is not clear which caller is meant.
  const isOne = timesGiven(rawHeaders, "authorization") === 1;
  const text = isOne ? (SCHEME.exec(authorization)?.[1] ?? "") : "";
  const found = TOKEN.test(text) ? await store.registry.token(hash("sha256", text)) : undefined;
  if (found === undefined || hasExpired(found.token) || found.token.issuer !== undefined) {
    throw unauthorized("This token is not valid: it may be mistyped, expired or revoked.");
  }
  return found;
}

function unauthorized(message: string): ApiError {
  return new ApiError("unauthorized", message, { "www-authenticate": "Bearer" });
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

/** Whether all decoded path parameters have a length that ids may have. No route accepts longer ones. */
function areIds(parameters: object): boolean {
  const given: [string, unknown][] = Object.entries(parameters);
  for (const [name, id] of given) {
    // The segment that names a past revision is refused later, by its own message.
    if (name === "when") continue;
    if (typeof id !== "string" || id === "") return false;
    if (id.length > LONGEST_ID && [...id].length > LONGEST_ID) return false;
  }
  return true;
}

/** The path for targets that are not valid paths. It has no route. */
const NOWHERE = "/\u0000";

/**
 * The path and query for the router. The origin of an absolute-form target is removed. `*`, a target that cannot be
 * decoded and one with `#` become a path without a route.
 */
export function routable(target: string): string {
  if (/^\/[^%#]*$/.test(target)) return target;
  const path = withoutOrigin(target);
  const [name = ""] = path.split("?", 1);
  try {
    if (name.includes("%")) decodeURIComponent(name);
  } catch {
    return NOWHERE;
  }
  return name.includes("#") || !name.startsWith("/") ? NOWHERE : path;
}

/** Describes only the program, so it needs no token, unlike all other paths under `/explorer`. */
export const EXPLORER_OPENAPI = "/explorer/openapi.json";

/** Paths with these first segments need a token. */
const GUARDED = new Set(["v1", "at", "export", "explorer"]);

/**
 * Whether the token is checked before everything else (docs/errors.md): under `/v1`, `/at`, `/export` and `/explorer`.
 */
export function asksForToken(target: string): boolean {
  if (withoutOrigin(target).split("?", 1)[0] === EXPLORER_OPENAPI) return false;
  return GUARDED.has(firstOf(target));
}

/** The first segment of a path, decoded as the router does; empty if it cannot be decoded. */
function firstOf(target: string): string {
  const [, name = ""] = /^\/([^/?#]*)/.exec(withoutOrigin(target)) ?? [];
  try {
    return name.includes("%") ? decodeURIComponent(name) : name;
  } catch {
    return "";
  }
}

function withoutOrigin(target: string): string {
  return target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "") || "/";
}
