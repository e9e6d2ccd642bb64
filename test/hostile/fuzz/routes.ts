import { namesOrganization } from "../../oracle/listing.ts";
import type { Listing, Thing } from "../../oracle/oracle.ts";
import { ROLES } from "../../oracle/records.ts";

/** A second implementation of parsing a request's target (docs/errors.md), without code from `src/`. */

/** A path of the interface with its decoded ids. */
export interface Route {
  readonly endpoint: Listing["endpoint"];
  /** Only where the path has one. */
  readonly organization: string | undefined;
  readonly id: string;
}

const SHAPES: readonly (readonly [Listing["endpoint"], string])[] = [
  [1, "v1 spaces ? permissions users"],
  [2, "v1 spaces ? permissions teams"],
  [3, "v1 spaces ? permissions aggregate"],
  [4, "v1 collections ? permissions teams"],
  [5, "v1 collections ? permissions users"],
  [6, "v1 collections ? permissions aggregate"],
  [7, "v1 orgs ? members ? spaces"],
  [8, "v1 orgs ? sites ? permissions aggregate"],
  [9, "v1 orgs ? members ? teams"],
  [10, "v1 orgs ? members"],
  [11, "v1 orgs ? teams"],
  [12, "v1 orgs ? spaces"],
  [13, "v1 orgs ? collections"],
  [14, "v1 orgs ? sites"],
  [15, "v1 orgs ? teams ? members"],
  [16, "v1 orgs ? sites ? site-spaces"],
  [17, "v1 collections ? spaces"],
  [18, "v1 orgs ? sites ? permissions users"],
  [19, "v1 orgs ? sites ? permissions teams"],
];

const LONGEST_ID = 255;

/** The path of a request target, without the query and, in a full URL, without the origin. */
export function pathOf(target: string): string {
  const [path = ""] = target.split("?");
  const match = /^https?:\/\/[^/?#]*(.*)$/i.exec(path);
  return match === null ? path : (match[1] ?? "") || "/";
}

/** Whether a path is below `/v1`. */
export function isUnderV1(path: string): boolean {
  return decoded(/^\/([^/#]*)/.exec(path)?.[1] ?? "") === "v1";
}

/** The route of a path; `undefined` if no endpoint matches. */
export function routeOf(path: string): Route | undefined {
  if (!path.startsWith("/") || path.includes("#")) return undefined;
  const parts = path.slice(1).split("/").map(decoded);
  for (const [endpoint, shape] of SHAPES) {
    const wanted = shape.split(" ");
    if (wanted.length !== parts.length) continue;
    if (!wanted.every((part, index) => (part === "?" ? isId(parts[index]) : part === parts[index]))) continue;
    const ids = parts.filter((_, index) => wanted[index] === "?");
    const [organization, id] = namesOrganization({ endpoint }) ? ids : [undefined, ids[0]];
    return { endpoint, organization, id: id ?? "" };
  }
  return undefined;
}

const THINGS: readonly (readonly [Thing["one"], string])[] = [
  ["organization", "v1 orgs ?"],
  ["member", "v1 orgs ? members ?"],
  ["team", "v1 orgs ? teams ?"],
  ["site", "v1 orgs ? sites ?"],
  ["space", "v1 spaces ?"],
  ["collection", "v1 collections ?"],
  ["user", "v1 users ?"],
  ["caller", "v1 user"],
];

/** The single thing at a path, and the organization that the path names; `undefined` if none is there. */
export function thingAt(path: string): { thing: Thing; organization: string | undefined } | undefined {
  if (!path.startsWith("/") || path.includes("#")) return undefined;
  const parts = path.slice(1).split("/").map(decoded);
  for (const [one, shape] of THINGS) {
    const wanted = shape.split(" ");
    if (wanted.length !== parts.length) continue;
    if (!wanted.every((part, index) => (part === "?" ? isId(parts[index]) : part === parts[index]))) continue;
    const ids = parts.filter((_, index) => wanted[index] === "?");
    const organization = wanted[1] === "orgs" ? ids[0] : undefined;
    if (one === "organization" || one === "caller") return { thing: { one }, organization };
    return { thing: { one, id: ids.at(-1) ?? "" }, organization };
  }
  return undefined;
}

function isId(part: string | undefined): boolean {
  return part !== undefined && part !== "" && [...part].length <= LONGEST_ID;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The parameters of a query, with defaults filled in. */
export interface Query {
  readonly limit: number;
  readonly page: string | undefined;
  readonly filters: Readonly<Record<string, string>>;
}

const FILTERS: Readonly<Record<number, readonly string[]>> = {
  3: ["role"],
  6: ["role"],
  7: ["order"],
  8: ["role", "search", "team", "sort", "order"],
  9: ["title"],
  10: ["role", "search", "sort", "order"],
  11: ["title", "owner"],
  13: ["nested"],
};

/** The query of a request target; `undefined` if the answer must be a 400. `page` is not checked. */
export function queryFor(endpoint: Listing["endpoint"], target: string): Query | undefined {
  const mark = target.indexOf("?");
  const raw = mark < 0 ? "" : target.slice(mark + 1);
  const given = new Map<string, string>();
  const known = ["page", "limit", ...(FILTERS[endpoint] ?? [])];
  for (const part of raw === "" ? [] : raw.split("&")) {
    const [name, ...value] = part.split("=").map((each) => each.replaceAll("+", " "));
    const key = decoded(name ?? "");
    const text = decoded(value.join("="));
    if (key === undefined || text === undefined || !known.includes(key) || given.has(key)) return undefined;
    given.set(key, text);
  }
  const limit = given.get("limit") ?? "100";
  if (!/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > 1000) return undefined;
  const role = given.get("role");
  const isGuest = endpoint === 10 && role === "guest";
  if (role !== undefined && !isGuest && !ROLES.some((each) => each === role)) return undefined;
  const order = given.get("order");
  if (order !== undefined && order !== "asc" && order !== "desc") return undefined;
  const nested = given.get("nested");
  if (nested !== undefined && nested !== "true") return undefined;
  const sort = given.get("sort");
  if (sort !== undefined && sort !== "name") return undefined;
  if (endpoint !== 7 && order !== undefined && sort === undefined) return undefined;
  const named = [given.get("team"), given.get("owner")];
  if (named.includes("")) return undefined;
  const search = given.get("search") ?? "";
  const others = Object.fromEntries([...given].filter(([name]) => name === "team" || name === "owner"));
  const filters = {
    ...others,
    ...(search === "" ? {} : { search }),
    ...(sort === undefined ? {} : { sort, order: order ?? "desc" }),
    ...(role === undefined ? {} : { role }),
    ...(endpoint === 7 ? { order: order ?? "desc" } : {}),
    ...(endpoint === 9 || endpoint === 11 ? { title: given.get("title") ?? "" } : {}),
  };
  return { limit: Number(limit), page: given.get("page"), filters };
}

/** The listing of a route with the filters of a query. */
export function listingOf({ endpoint, id }: Route, { filters }: Query): Listing {
  const role = ROLES.find((each) => each === filters.role);
  switch (endpoint) {
    case 1:
    case 2:
      return { endpoint, space: id };
    case 3:
      return { endpoint, space: id, ...(role === undefined ? {} : { role }) };
    case 4:
    case 5:
      return { endpoint, collection: id };
    case 6:
      return { endpoint, collection: id, ...(role === undefined ? {} : { role }) };
    case 7:
      return { endpoint, user: id, order: filters.order === "asc" ? "asc" : "desc" };
    case 8:
      return {
        endpoint,
        site: id,
        ...(filters.team === undefined ? {} : { team: filters.team }),
        ...byName(filters),
        ...(role === undefined ? {} : { role }),
      };
    case 9:
      return { endpoint, user: id, title: filters.title ?? "" };
    case 10: {
      const whose = filters.role === "guest" ? "guest" : role;
      return { endpoint, ...byName(filters), ...(whose === undefined ? {} : { role: whose }) };
    }
    case 11:
      return {
        endpoint,
        title: filters.title ?? "",
        ...(filters.owner === undefined ? {} : { owner: filters.owner }),
      };
    case 15:
      return { endpoint, team: id };
    case 16:
    case 18:
    case 19:
      return { endpoint, site: id };
    case 17:
      return { endpoint, collection: id };
    case 12:
    case 13:
    case 14:
      return { endpoint };
  }
}

function byName({ search, sort, order }: Query["filters"]) {
  return {
    ...(search === undefined ? {} : { search }),
    ...(sort === undefined
      ? {}
      : { sort: "name" as const, order: order === "asc" ? ("asc" as const) : ("desc" as const) }),
  };
}
