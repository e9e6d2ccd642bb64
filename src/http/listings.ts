/**
 * The listings and single things, at the current revision and, under `/at/WHEN`, at a past one.
 *
 * A request that was answered before is answered again from the cache. Any other is admitted; then its query (400), its
 * organization (404), its revision (404) and what its caller may list (403, 404) are checked, in the order of
 * docs/errors.md. A client that has the page gets a 304; for any other, the operation makes the page from the model of
 * the revision.
 */
import { ApiError } from "../domain/error.ts";
import type { SpeltWhen } from "../domain/date.ts";
import { absent, absentSubject, authorize } from "../operations/authorize.ts";
import { type Listing, parametersOf, type Thing } from "../operations/operation.ts";
import {
  type Filters,
  parameterName,
  queryParametersOf,
  readFilters,
  readLimit,
} from "../operations/parameters.ts";
import type { Model } from "../model/model.ts";
import { modelOf } from "../store/models.ts";
import type { Revision } from "../store/reading.ts";
import { workInTurns } from "../store/turns.ts";
import type { Organization } from "../store/revisions/past.ts";
import { hasExpired } from "../store/revisions/registry.ts";
import {
  type Answer,
  asksForOther,
  type Body,
  type Exchange,
  NO_BODY,
  type PathParameters,
  type Route,
} from "./exchange.ts";
import { readPage, writePage } from "./page-identifier.ts";
import { parseQuery } from "./query.ts";
import { AT, matches, revisionAsked, unlessDeleted, validatorsOf, whenOf } from "./revision.ts";
import type { Service } from "./service.ts";

/** How often a page is made if its revision is deleted each time while its model is loaded. */
const TRIES = 3;
const JSON_TYPE = ["content-type", "application/json; charset=utf-8"];
const CLOSE = ["connection", "close"];

/** What a server answers with ETags from a revision. */
type Asked = Listing | Thing;

/** What a query asks of a listing. */
interface ListingQuery {
  readonly filters: Filters;
  readonly limit: number;
  /**
   * Identifies the list with its filters, defaults included: requests for the same list have the same text (docs/api.md).
   */
  readonly listing: string;
  /** The revision on which the walk began; absent on a first page. */
  readonly begun: number | undefined;
  readonly after: string | undefined;
}

interface ListingRequest extends ListingQuery {
  readonly exchange: Exchange;
  /** Without the segment that names a past revision. */
  readonly path: PathParameters;
  readonly when: SpeltWhen | undefined;
}

/** The answer that the cache has for a request, if all checks would lead to it again. */
export function repeated(service: Service, exchange: Exchange): Answer | undefined {
  const { store, responses, rateLimit, draining } = service;
  const kept = responses.get(exchange.request.raw);
  if (kept === undefined || draining) return undefined;
  const { token, version, headers, body, revision, rows } = kept;
  if (hasExpired(token) || !store.registry.isUnchanged(token.organization, version)) return undefined;
  if (rateLimit.isUsedUp(token)) return undefined;
  const limits = Object.entries(rateLimit.count(token));
  exchange.token = token;
  exchange.revision = revision;
  exchange.rows = rows;
  responses.hits++;
  return { status: 200, headers: limits.length === 0 ? headers : [...headers, ...limits.flat()], body };
}

/** The routes of one operation. */
export function listingRoutes(service: Service, operation: Asked): Route[] {
  const handler = listing(service, operation);
  return ["", AT].map((prefix) => ({ path: prefix + operation.path, kind: "page", handler }));
}

function listing(service: Service, operation: Asked): (exchange: Exchange) => Promise<Answer> {
  const names = parametersOf(operation.path);
  return async (exchange) => {
    const { registry } = service.store;
    const { caller, parameters } = exchange;
    const path: Record<string, string> = {};
    for (const name of names) path[name] = parameters[name] ?? "";
    const when = whenOf(parameters.when);
    const asked = askedOf(operation, caller.organization, path, parameters.when, exchange.query);
    const { organizationId = caller.organization } = path;
    if (organizationId !== caller.organization && operation.further !== true)
      throw absent("organization", organizationId);
    for (let tries = 0; tries < TRIES; tries++) {
      const organization = await registry.organizationOf(caller);
      if (organization === undefined) throw absent("organization", caller.organization);
      const at = await revisionAsked(registry, organization, when, asked.begun);
      const found = await answerFrom(service, operation, at, organization, {
        ...asked,
        exchange,
        path,
        when,
      }).catch(unlessDeleted(service, caller.organization));
      if (found === undefined) continue;
      const closes = service.draining || asksForOther(exchange.request.headers);
      const limits = Object.entries(exchange.limits).flat();
      return { ...found, headers: [...limits, ...found.headers, ...(closes ? CLOSE : [])] };
    }
    throw new ApiError("unavailable", "The directory is being imported too often to read a page of it.", {
      "retry-after": "1",
    });
  };
}

/**
 * Parses a query for `operation`. `when` is the path segment that names a past revision. Throws 400 as docs/errors.md says.
 */
export function askedOf(
  operation: Asked,
  organization: string,
  path: PathParameters,
  when: string | undefined,
  rawQuery: string,
): ListingQuery {
  const names = "list" in operation ? queryParametersOf(operation) : [];
  const query = parseQuery(rawQuery, names.map(parameterName));
  const filters = readFilters("list" in operation ? operation.filters : [], query);
  const limit = readLimit(query.get("limit"));
  const listing = JSON.stringify([
    organization,
    operation.id,
    path,
    filters,
    ...(when === undefined ? [] : [when]),
  ]);
  const page = query.get("page");
  if (page === undefined) return { filters, limit, listing, begun: undefined, after: undefined };
  const { revision, after } = readPage(listing, page);
  return { filters, limit, listing, begun: revision, after };
}

interface ListingAnswer {
  readonly status: 200 | 304;
  readonly headers: readonly string[];
  readonly body: Body;
}

/** The answer from one revision. Rejects with a DeletedError if the revision was deleted while its model was loaded. */
async function answerFrom(
  service: Service,
  operation: Asked,
  at: Revision,
  { current }: Organization,
  asked: ListingRequest,
): Promise<ListingAnswer> {
  const { responses, store, version, publicUrl } = service;
  const { exchange, path, when } = asked;
  const { caller, request } = exchange;
  const { etag, headers } = validatorsOf(at, version, publicUrl);
  const then = await modelOf(store.reading(at));
  // An organization may list all that it had, so a past revision that was asked for by name decides alone.
  const decides = when !== undefined && caller.member === undefined ? at : current;
  const now = decides === at ? then : await modelOf(store.reading(current));
  authorize(now, when === undefined ? now : then, caller, operation, path);
  exchange.revision = at.revision;
  if (matches(request.headers["if-none-match"], etag)) return { status: 304, headers, body: NO_BODY };
  const body = await bodyFrom(service, operation, then, at, asked);
  const described = [...headers, ...JSON_TYPE, "content-length", String(body.length)];
  // A revision that is not current is deleted some time later. A page of it is cached only if it was requested by name,
  // not for a walk that goes on after an import.
  if (when !== undefined || at === current) {
    responses.keep(request.raw, {
      version: exchange.version,
      token: caller,
      headers: described,
      body,
      revision: exchange.revision,
      rows: exchange.rows,
    });
  }
  return { status: 200, headers: described, body };
}

/** Makes the page, or the thing. Rejects with a 404 if the subject does not exist. */
async function bodyFrom(
  service: Service,
  operation: Asked,
  model: Model,
  { revision }: Revision,
  { exchange, path, filters, limit, listing, after }: ListingRequest,
): Promise<Body> {
  const { caller } = exchange;
  service.pagesRead++;
  if ("find" in operation) {
    const data = operation.find(model, { path, caller }, service);
    if (data === undefined) throw absentSubject(operation.subject, path, caller);
    exchange.rows = 1;
    return { data, encoding: "latin1", length: data.length };
  }
  const narrowing = operation.narrow?.(model, { path, filters });
  const narrowed = narrowing && (await workInTurns(narrowing));
  const page = operation.list(model, { path, filters, page: { after, limit }, narrowed }, service);
  if (page === undefined) throw absentSubject(operation.subject, path, caller);
  const { entries } = page;
  exchange.rows = entries.length;
  const next =
    page.next === undefined ? "" : `"next":{"page":"${writePage(listing, { revision, after: page.next })}"},`;
  // Faster than a join, which copies every entry.
  const items = entries.reduce((all, entry) => (all === "" ? entry : `${all},${entry}`), "");
  // An operation renders entries in UTF-8 with one character for each byte.
  const data = `{${next}"count":${entries.length},"items":[${items}]}`;
  return { data, encoding: "latin1", length: data.length };
}
