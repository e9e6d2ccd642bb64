import { LONGEST_ID } from "../../operations/parameters.ts";

/** A path without a route, for targets that are not valid paths. */
const NOWHERE = "/\u0000";

/**
 * The path and query by which the router finds a target's route. An absolute-form target loses its origin. The result
 * for `*`, for a target that cannot be decoded, and for one with `#` is a path without a route.
 */
export function routable(target: string): string {
  const path = withoutOrigin(target);
  const [name = ""] = path.split("?", 1);
  try {
    if (name.includes("%")) decodeURIComponent(name);
  } catch {
    return NOWHERE;
  }
  return name.includes("#") || !name.startsWith("/") ? NOWHERE : path;
}

/** The OpenAPI document of the explorer's requests. It contains no data, so exactly this path needs no token. */
export const EXPLORER_OPENAPI = "/explorer/openapi.json";

/** The first segments of paths that need a token: the API, the past, and the explorer's requests. */
const GUARDED = new Set(["v1", "at", "explorer"]);

/**
 * Whether a target lies under `/v1`, `/at` or `/explorer`: there the token is checked before everything else
 * (contract, section 6). The router decodes paths, so the decoded name counts.
 */
export function asksForToken(target: string): boolean {
  const path = withoutOrigin(target);
  if (path.split("?", 1)[0] === EXPLORER_OPENAPI) return false;
  const [, name] = /^\/([^/?#]*)/.exec(path) ?? [];
  if (name === undefined || !name.includes("%")) return GUARDED.has(name ?? "");
  try {
    return GUARDED.has(decodeURIComponent(name));
  } catch {
    return false;
  }
}

/** Whether all decoded path parameters are short enough for ids. No route matches longer ones. */
export function areIds(parameters: unknown): boolean {
  if (typeof parameters !== "object" || parameters === null) return true;
  const ids: unknown[] = Object.values(parameters);
  for (const id of ids) {
    if (typeof id !== "string" || id === "") return false;
    if (id.length > LONGEST_ID && [...id].length > LONGEST_ID) return false;
  }
  return true;
}

function withoutOrigin(target: string): string {
  return target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "") || "/";
}
