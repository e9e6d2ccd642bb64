import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "../../domain/error.ts";
import { absent, authorize, authorizeAsOf, isShownByEntries } from "../../operations/authorize.ts";
import type { ListRequest, Operation } from "../../operations/operation.ts";
import { SingleFlight } from "../../store/cache/single-flight.ts";
import type { Reading, Revision } from "../../store/reading.ts";
import type { ResponseCache } from "./response-cache.ts";
import type { Answered } from "../request/request-events.ts";
import { type Body, bodyOf, endWith } from "./body.ts";
import { type Admitted, admit, queryOf, refuseMisplaced, refuseMisshapen } from "../admission/guards.ts";
import { type Asked, askedOf } from "./list-request.ts";
import { type Listed, listingAt } from "./listing-routes.ts";
import { type Load, overloaded } from "../admission/admission.ts";
import { methodOf } from "../request/method.ts";
import { writePage } from "./page-identifier.ts";
import { asksForOther } from "../request/protocol.ts";
import { refuseLater } from "../errors/refused.ts";
import type { Service } from "../service.ts";
import { matches, validatorsOf } from "./validators.ts";
import { revisionAsked, whenOf } from "./when.ts";

/** How often a page is read if its revision is deleted each time during the read. */
const TRIES = 3;
const JSON_TYPE = ["content-type", "application/json; charset=utf-8"];

interface Answer {
  readonly status: 200 | 304;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Body;
}

interface Exchange {
  readonly listed: Listed;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly tell: (answered: Answered) => void;
  readonly refuse: (request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * Answers the listings without Fastify's router and hooks, which would take as long as a short page. Fastify's router
 * gets only the requests to refuse, and sends the refusals.
 */
export class Listings {
  readonly #service: Service;
  readonly #load: Load;
  readonly #responses: ResponseCache;
  readonly #preparing = new SingleFlight<unknown>();

  constructor(service: Service, load: Load, responses: ResponseCache) {
    this.#service = service;
    this.#load = load;
    this.#responses = responses;
  }

  /**
   * Answers a request for a listing, and calls `tell` when the answer is sent. Calls `refuse` if the request is
   * refused. Returns false if the path is not that of a listing.
   */
  take(
    request: IncomingMessage,
    response: ServerResponse,
    tell: Exchange["tell"],
    refuse: Exchange["refuse"],
  ): boolean {
    const listed = listingAt(request.url ?? "");
    if (listed === undefined) return false;
    void this.#exchange({ listed, request, response, tell, refuse });
    return true;
  }

  async #exchange({ listed, request, response, tell, refuse }: Exchange): Promise<void> {
    const began = performance.now();
    const { template: route } = listed;
    const full = this.#load.full();
    const work = this.#load.begin(request.url ?? "", response);
    let caller: Admitted | undefined;
    try {
      if (full) throw overloaded();
      refuseMisshapen(request, request.url ?? "");
      caller = await admit(this.#service, request);
      refuseMisplaced(request, listed.path);
      const { status, headers, body } = await this.#answer(listed, request, caller);
      const { token } = caller;
      work.end(body.length, () => {
        const milliseconds = performance.now() - began;
        tell({ method: methodOf(request), route, status, milliseconds, token });
      });
      const ends = this.#service.draining || asksForOther(request) ? ["connection", "close"] : [];
      response.writeHead(status, [...Object.entries(caller.limits).flat(), ...headers, ...ends]);
      endWith(response, body);
    } catch (thrown) {
      work.end(0);
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      refuseLater(request, { error, route, began, caller });
      refuse(request, response);
    }
  }

  /**
   * Checks in the order of the contract, section 6: the query (400), the organization (404), the revision (404), then
   * what section 7 refuses; sends a 304 or the page.
   */
  async #answer(
    { operation, template, path, when: spelt }: Listed,
    request: IncomingMessage,
    { token: caller, version }: Admitted,
  ): Promise<Answer> {
    const service = this.#service;
    const { pages, store } = service;
    const when = whenOf(spelt);
    const asked = askedOf(operation, caller.organization, path, spelt, queryOf(request.url ?? ""));
    if (path.organizationId !== undefined && path.organizationId !== caller.organization) {
      throw absent("organization", path.organizationId);
    }
    for (let tries = 0; tries < TRIES; tries++) {
      const organization = await store.registry.organizationOf(caller);
      if (organization === undefined) throw absent("organization", caller.organization);
      const at = await revisionAsked(store.registry, organization, when, asked.begun);
      const { etag, headers } = validatorsOf(at, service.version, service.publicUrl);
      const unchanged = matches(request.headers["if-none-match"], etag);
      const key = keyOf(asked, at);
      const beside = store.engine.remote && !unchanged && !pages.has(key);
      const now = store.reading(organization.current);
      const authorized = () =>
        when === undefined
          ? authorize(now, caller, operation.subject, path)
          : authorizeAsOf(store.reading(at), now, caller, operation.subject, path);
      const later =
        !unchanged &&
        !store.engine.remote &&
        at === organization.current &&
        isShownByEntries(caller, operation.subject);
      const prepared = beside && this.#prepare(key, operation, store.reading(at), requestOf(path, asked));
      if (prepared) await Promise.all([authorized(), prepared]);
      else if (!later) await authorized();
      if (unchanged) return { status: 304, headers, body: bodyOf("") };
      let body = pages.get(key);
      if (body === undefined) {
        body = await pages.make(key, () =>
          render(service, operation, path, asked, at, later ? authorized : async () => {}),
        );
        const unchangedSince = store.registry.isUnchanged(caller.organization, version);
        if (!unchangedSince && !(await isKept(service, at))) continue;
        if (body === undefined) throw absent(operation.subject.of, path[operation.subject.parameter] ?? "");
        pages.keep(key, body);
      }
      const described = [...headers, ...JSON_TYPE, "content-length", String(body.length)];
      // A revision that is not current is deleted some time later. A page of it is cached only if it was requested by
      // name, not for a walk that goes on after an import.
      if ((when !== undefined || at === organization.current) && pages.has(key)) {
        this.#responses.keep(request, {
          version,
          token: caller,
          route: template,
          page: key,
          headers: described,
        });
      }
      return { status: 200, headers: described, body };
    }
    throw new ApiError("unavailable", "The directory is being imported too often to read a page of it.", {
      "retry-after": "1",
    });
  }

  /** Reads what the page needs, once for all concurrent requests for it. */
  #prepare(key: string, operation: Operation, reading: Reading, asked: ListRequest): Promise<unknown> {
    return this.#preparing.do(key, async () => operation.prepare?.(reading, asked));
  }
}

/**
 * Whether a revision was kept during a read. If not, its rows may have been deleted, and the read may have missed some.
 */
export async function isKept(
  { store }: Service,
  { organization: id, revision, history }: Revision,
): Promise<boolean> {
  const organization = await store.registry.organization(id);
  if (organization?.current.history !== history) return false;
  return organization.earliest <= revision && revision <= organization.current.revision;
}

function keyOf({ limit, after = "", listing }: Asked, { history, erasures, revision }: Revision): string {
  // The key `after` is last, because it may contain any character.
  return `${history}.${erasures}.${revision} ${limit} ${listing}${after}`;
}

function requestOf(path: Listed["path"], { filters, after, limit }: Asked): ListRequest {
  return { path, filters, page: { after, limit } };
}

/**
 * The page as sent; `undefined` if its subject does not exist any more. An empty page is sent only if `authorized`
 * resolves.
 */
async function render(
  service: Service,
  operation: Operation,
  path: Listed["path"],
  asked: Asked,
  at: Revision,
  authorized: () => Promise<void>,
): Promise<Body | undefined> {
  const reading = service.store.reading(at);
  const page = await operation.list(reading, requestOf(path, asked), service.publicUrl);
  service.rowsRead += reading.rows;
  if (page === undefined) return undefined;
  if (page.entries.length === 0) await authorized();
  const next =
    page.next === undefined
      ? ""
      : `"next":{"page":"${writePage(asked.listing, { revision: at.revision, after: page.next })}"},`;
  // Faster than a join, which copies every entry.
  const items = page.entries.reduce((all, entry) => (all === "" ? entry : `${all},${entry}`), "");
  return bodyOf(`{${next}"count":${page.entries.length},"items":[${items}]}`);
}
