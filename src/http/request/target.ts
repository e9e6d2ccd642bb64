import { LONGEST_ID } from "../../operations/parameters.ts";

/** The path for targets that are not valid paths. It has no route. */
const NOWHERE = "/\u0000";

/**
 * The path and query for the router. The origin of an absolute-form target is removed. `*`, a target that cannot be
 * decoded and one with `#` become a path without a route.
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

/** Describes only the program, so it needs no token, unlike all other paths under `/explorer`. */
export const EXPLORER_OPENAPI = "/explorer/openapi.json";

/** Paths with these first segments need a token. */
const GUARDED = new Set(["v1", "at", "explorer"]);

/**
 * Whether the token is checked before everything else (contract, section 6): under `/v1`, `/at` and `/explorer`. The
 * first segment is decoded, as the router does.
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

/** Whether all decoded path parameters have a length that ids may have. No route accepts longer ones. */
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
