import { LONGEST_ID } from "../operations/parameters.ts";

/** A path that no route has: where targets go that name none. */
const NOWHERE = "/\u0000";

/**
 * The path, with query, that a request's target is routed by: without the origin of an absolute-form target, and
 * nowhere if it is no path (`*`), cannot be decoded or holds the `#` that a target never has.
 */
export function routable(target: string): string {
  const path = withoutOrigin(target);
  const [name = ""] = path.split("?", 1);
  try {
    decodeURIComponent(name);
  } catch {
    return NOWHERE;
  }
  return name.includes("#") || !name.startsWith("/") ? NOWHERE : path;
}

/** What describes the explorer's questions. It holds no data, and asks for no token where it is spelt like this. */
export const EXPLORER_OPENAPI = "/explorer/openapi.json";

/** What a token opens: the interface, its past, and what the explorer's page asks. */
const GUARDED = new Set(["v1", "at", "explorer"]);

/**
 * Whether a target lies under `/v1`, `/at` or `/explorer`, whatever follows: there a token is asked for first (contract,
 * section 6). Paths are decoded before they are routed, so the name counts however it is spelt.
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

/** Whether the decoded path parameters of a route have the length of ids; a path with others names nothing. */
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
