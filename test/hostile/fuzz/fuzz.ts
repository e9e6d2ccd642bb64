import * as fc from "fast-check";
import { type Answer, Line, type Request } from "../ask.ts";
import { foreignMarks, holderOf, isBeside, isForPeople, judge, listingKey, type Pages } from "./judge.ts";
import { requests } from "./requests.ts";
import { pathOf, queryFor, routeOf } from "./routes.ts";
import { faultIn } from "../shape.ts";
import type { Tenants } from "../tenants.ts";
import { holds } from "../../setup/property.ts";

/** The number of requests by status. */
export type StatusCounts = Map<number, number>;

/**
 * Sends `runs` random requests, and checks every answer. Throws, with the smallest such request, if an answer is wrong.
 */
export async function fuzz(tenants: Tenants, runs: number, seed?: number): Promise<StatusCounts> {
  const line = new Line(tenants.port);
  const counts: StatusCounts = new Map();
  try {
    const pages = await pagesOf(tenants, line);
    await holds(
      fc.asyncProperty(requests(tenants, pages), async (request) => {
        const answer = await line.ask(request);
        counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
        const fault = faultOf(tenants, pages, request, answer);
        if (fault !== undefined) throw new Error(`${fault}\n${answer.status} ${answer.body.slice(0, 500)}`);
      }),
      { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
    );
  } finally {
    line.close();
  }
  return counts;
}

/** Page identifiers from real answers, each with its listing. */
async function pagesOf(tenants: Tenants, line: Line): Promise<Pages> {
  const pages = new Map<string, string>();
  for (const { tenant, member, token } of tenants.holders) {
    if (member !== undefined) continue;
    // A quarter of the listings is enough, because each is requested often.
    for (const listing of tenant.listings.filter((_, index) => index % 4 === 0)) {
      const target = tenant.oracle.path(tenant.id, listing);
      const limited = `${target}${target.includes("?") ? "&" : "?"}limit=1`;
      const { body } = await line.ask({
        method: "GET",
        target: limited,
        headers: { authorization: `Bearer ${token}` },
      });
      const { next }: { next?: { page: string } } = JSON.parse(body);
      const route = routeOf(pathOf(limited));
      const query = route === undefined ? undefined : queryFor(route.endpoint, limited);
      if (next === undefined || route === undefined || query === undefined) continue;
      pages.set(next.page, listingKey(tenant.id, route.endpoint, route.id, query.filters));
    }
  }
  return pages;
}

/** What is wrong with an answer, in one line. */
function faultOf(tenants: Tenants, pages: Pages, request: Request, answer: Answer): string | undefined {
  const own = holderOf(tenants, request.headers.authorization)?.tenant;
  const whole = JSON.stringify(answer);
  const leaked = foreignMarks(tenants, own).find((mark) => whole.includes(mark));
  if (leaked !== undefined) return `${leaked} is of another organization`;
  if (answer.status >= 500) return "a server error";
  const verdict = judge(tenants, pages, request);
  if (verdict !== undefined && verdict.status !== answer.status) return `${verdict.status} was expected`;
  if (verdict === undefined && isBeside(request.target)) return undefined;
  // Where the documents leave the status open, a 404 may be one of a path.
  const isPage = verdict === undefined ? answer.status === 404 && isForPeople(request.headers) : verdict.page;
  if (isPage === true) return pageFault(answer);
  if (answer.status >= 400) return faultIn(request.method, answer);
  if (verdict === undefined || answer.status === 304 || request.method === "HEAD") return undefined;
  if (verdict.thing === undefined) return itemsFault(verdict, answer.body);
  const isSame = JSON.stringify(sorted(JSON.parse(answer.body))) === JSON.stringify(sorted(verdict.thing));
  return isSame ? undefined : "not the oracle's answer";
}

function pageFault({ headers }: Answer): string | undefined {
  return headers["content-type"] === "text/html; charset=utf-8" ? undefined : "not a page for a browser";
}

function itemsFault(
  { list = [], limit = 0, first }: NonNullable<ReturnType<typeof judge>>,
  body: string,
): string | undefined {
  const { items, count, next }: { items: unknown[]; count: number; next?: unknown } = JSON.parse(body);
  if (count !== items.length) return "count is not the number of items";
  // Every identifier is of the page after the first item, because `limit` was 1.
  const start = first ? 0 : 1;
  if (JSON.stringify(items.map(sorted)) !== JSON.stringify(list.slice(start, start + limit).map(sorted)))
    return "not the oracle's page";
  return (next !== undefined) === list.length > start + limit ? undefined : "next is there, or not, wrongly";
}

/** The same value with sorted object keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
