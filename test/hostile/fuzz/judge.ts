import type { Oracle } from "../../oracle/oracle.ts";
import type { Request } from "../ask.ts";
import { isUnderV1, listingOf, pathOf, queryFor, routeOf, thingAt } from "./routes.ts";
import type { Holder, Tenant, Tenants } from "../tenants.ts";

/** The expected answer to a request. */
export interface Verdict {
  readonly status: number;
  /** Whether the answer is the page that a browser gets for a path that does not exist. */
  readonly page?: boolean;
  /** For a 200: the whole list, of which the page is a part. */
  readonly list?: ReturnType<Oracle["list"]>;
  readonly limit?: number;
  /** For a 200: the thing. */
  readonly thing?: unknown;
  /** Whether the request is for the first page. */
  readonly first?: boolean;
}

/** The longest URL, in characters (docs/errors.md). */
const LONGEST_URL = 8192;
/** Paths that other tests cover. The explorer answers in HTML, also with refusals. */
const OTHERS = /^\/(healthz|readyz|openapi\.json|docs|metrics|s\/.*|assets\/.*|explorer(\/.*)?)?$/;

/** Whether a target is outside the interface. */
export function isBeside(target: string): boolean {
  return OTHERS.test(pathOf(target));
}

/** The listing and organization of each page identifier. */
export type Pages = ReadonlyMap<string, string>;

/** The key of an organization's listing, with the default filters and order filled in. */
export function listingKey(organization: string, endpoint: number, id: string, filters: object): string {
  return JSON.stringify([organization, endpoint, id, filters]);
}

/**
 * The expected status by the rules of docs/errors.md, in their order; `undefined` if they leave it open.
 */
export function judge(
  tenants: Tenants,
  pages: Pages,
  { method, target, headers }: Request,
): Verdict | undefined {
  // Node's HTTP parser refuses some targets that are neither a path nor a URL.
  if (!/^(\/|https?:\/\/[\w.:@[\]-]*(\/|$))/i.test(target)) return undefined;
  if (target.length > LONGEST_URL) return { status: 414 };
  const path = pathOf(target);
  const holder = holderOf(tenants, headers.authorization);
  const under = isUnderV1(path);
  if (under && holder === undefined) return { status: 401 };
  if (!under && isBeside(target)) return undefined;
  if (!under) return { status: 404, page: isForPeople(headers) };
  const route = routeOf(path);
  const found = thingAt(path);
  if ((route === undefined && found === undefined) || holder === undefined) return { status: 404 };
  if (method !== "GET" && method !== "HEAD") return { status: 405 };
  if (route === undefined) return found && judgeThing(holder, found, { target, headers });
  const query = queryFor(route.endpoint, target);
  if (query === undefined) return { status: 400 };
  const { tenant, member } = holder;
  const key = listingKey(tenant.id, route.endpoint, route.id, query.filters);
  const foreign = route.organization !== undefined && route.organization !== tenant.id;
  if (query.page !== undefined && (foreign || pages.get(query.page) !== key)) return { status: 400 };
  const listing = listingOf(route, query);
  const caller =
    member === undefined ? { kind: "organization" as const } : { kind: "member" as const, user: member };
  if (foreign) return { status: tenant.oracle.mayElsewhere(tenant.id, caller, listing) };
  const status = tenant.oracle.may(tenant.id, caller, listing);
  if (status !== 200) return { status };
  const tag = headers["if-none-match"];
  if (tag === "*") return { status: 304 };
  return {
    status,
    list: tenant.oracle.list(tenant.id, listing),
    limit: query.limit,
    first: query.page === undefined,
  };
}

/** A single thing has no parameters. */
function judgeThing(
  { tenant, member }: Holder,
  { thing, organization }: NonNullable<ReturnType<typeof thingAt>>,
  { target, headers }: Pick<Request, "target" | "headers">,
): Verdict {
  if (/\?./.test(target)) return { status: 400 };
  const caller =
    member === undefined ? { kind: "organization" as const } : { kind: "member" as const, user: member };
  const status = tenant.oracle.mayAsk(tenant.id, caller, thing, organization ?? tenant.id);
  if (status !== 200) return { status };
  if (headers["if-none-match"] === "*") return { status: 304 };
  return { status, thing: tenant.oracle.thing(tenant.id, thing, caller) };
}

/** Whether a path that does not exist, outside the API, is answered with a page. */
export function isForPeople({ accept }: Request["headers"]): boolean {
  return accept === "text/html";
}

/** The holder of the token in an Authorization header; `undefined` if the token is not valid. */
export function holderOf({ holders }: Tenants, authorization: string | undefined): Holder | undefined {
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  return holders.find((holder) => holder.token === token);
}

/** The marks of all other organizations, which an answer must never contain. */
export function foreignMarks({ all }: Tenants, own: Tenant | undefined): string[] {
  return [...new Set(all.map(({ mark }) => mark))].filter((mark) => mark !== own?.mark);
}
