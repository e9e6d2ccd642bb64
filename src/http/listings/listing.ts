import type { IncomingMessage, ServerResponse } from "node:http";
import { type Load, overloaded } from "../admission/admission.ts";
import { type Admitted, admit, refuseMisplaced, refuseMisshapen } from "../admission/guards.ts";
import { refuseLater } from "../errors/refused.ts";
import { methodOf } from "../request/method.ts";
import { asksForOther } from "../request/protocol.ts";
import type { Answered } from "../request/request-events.ts";
import type { Service } from "../service.ts";
import { endWith } from "./body.ts";
import { ListingAnswers } from "./listing-answers.ts";
import { type Listed, listingAt } from "./listing-routes.ts";

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
  readonly #answers: ListingAnswers;

  constructor(service: Service, load: Load) {
    this.#service = service;
    this.#load = load;
    this.#answers = new ListingAnswers(service);
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

  /**
   * Answers a request whose answer is cached, and calls `tell` when the answer is sent. Returns false for other
   * requests.
   */
  again(request: IncomingMessage, response: ServerResponse, tell: Exchange["tell"]): boolean {
    const { store, responses, rateLimit, draining } = this.#service;
    const kept = responses.get(request);
    if (kept === undefined) return false;
    const { token, route, version, headers, body } = kept;
    if (token.expiresAt !== undefined && Date.parse(token.expiresAt) <= Date.now()) return false;
    if (!store.registry.isUnchanged(token.organization, version)) return false;
    if (draining || this.#load.full() || rateLimit.isUsedUp(token.id)) return false;
    const began = performance.now();
    const limits = Object.entries(rateLimit.count(token.id));
    this.#load.sends(response, body.length, () => {
      tell({ method: "GET", route, status: 200, milliseconds: performance.now() - began, token });
    });
    responses.hits++;
    response.writeHead(200, limits.length === 0 ? headers : [...headers, ...limits.flat()]);
    endWith(response, body);
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
      const { status, headers, body } = await this.#answers.answer(listed, request, caller);
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
}
