import type { IncomingMessage } from "node:http";
import { ApiError } from "../../domain/error.ts";
import type { SpeltWhen } from "../../domain/date.ts";
import { absent, authorize, authorizeAsOf } from "../../operations/authorize.ts";
import type { Revision } from "../../store/reading.ts";
import type { Organization } from "../../store/revisions/past.ts";
import { type Admitted, queryOf } from "../admission/guards.ts";
import type { Service } from "../service.ts";
import { type Body, bodyOf } from "./body.ts";
import { isKept } from "./is-kept.ts";
import { type Asked, askedOf } from "./list-request.ts";
import type { Listed } from "./listing-routes.ts";
import { renderPage } from "./render-page.ts";
import { matches, validatorsOf } from "./validators.ts";
import { revisionAsked, whenOf } from "./when.ts";

/** How often a page is read if its revision is deleted each time during the read. */
const TRIES = 3;
const JSON_TYPE = ["content-type", "application/json; charset=utf-8"];

interface Answer {
  readonly status: 200 | 304;
  /** Header names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Body;
}

interface Question {
  readonly listed: Listed;
  readonly when: SpeltWhen | undefined;
  readonly asked: Asked;
  readonly request: IncomingMessage;
  readonly caller: Admitted;
}

/** Makes the answers of the listings. */
export class ListingAnswers {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  /**
   * Checks in the order of the contract, section 6: the query (400), the organization (404), the revision (404), then
   * what section 7 refuses; returns a 304 or the page.
   */
  async answer(listed: Listed, request: IncomingMessage, caller: Admitted): Promise<Answer> {
    const { registry } = this.#service.store;
    const { token } = caller;
    const { operation, path, when: spelt } = listed;
    const when = whenOf(spelt);
    const asked = askedOf(operation, token.organization, path, spelt, queryOf(request.url ?? ""));
    if (path.organizationId !== undefined && path.organizationId !== token.organization) {
      throw absent("organization", path.organizationId);
    }
    for (let tries = 0; tries < TRIES; tries++) {
      const organization = await registry.organizationOf(token);
      if (organization === undefined) throw absent("organization", token.organization);
      const at = await revisionAsked(registry, organization, when, asked.begun);
      const answer = await this.#from(at, organization, { listed, when, asked, request, caller });
      if (answer !== undefined) return answer;
    }
    throw new ApiError("unavailable", "The directory is being imported too often to read a page of it.", {
      "retry-after": "1",
    });
  }

  /** The answer from one revision; `undefined` if the revision was deleted during the read. */
  async #from(at: Revision, organization: Organization, question: Question): Promise<Answer | undefined> {
    const { listed, when, request, caller } = question;
    const { responses, store, version, publicUrl } = this.#service;
    const { operation, path } = listed;
    const { token } = caller;
    const { etag, headers } = validatorsOf(at, version, publicUrl);
    const unchanged = matches(request.headers["if-none-match"], etag);
    const now = store.reading(organization.current);
    const authorized = () =>
      when === undefined
        ? authorize(now, token, operation.subject, path)
        : authorizeAsOf(store.reading(at), now, token, operation.subject, path);
    // The check and the page share what they read. What the check throws comes first.
    const reading = unchanged ? undefined : this.#read(at, question);
    reading?.catch(() => {});
    await authorized();
    if (unchanged) return { status: 304, headers, body: bodyOf("") };
    const body = await reading;
    if (body === undefined) return undefined;
    const described = [...headers, ...JSON_TYPE, "content-length", String(body.length)];
    // A revision that is not current is deleted some time later. A page of it is cached only if it was requested by
    // name, not for a walk that goes on after an import.
    if (when !== undefined || at === organization.current) {
      const { version: since } = caller;
      responses.keep(request, { version: since, token, route: listed.template, headers: described, body });
    }
    return { status: 200, headers: described, body };
  }

  /**
   * Reads and renders the page; `undefined` if the revision was deleted during the read. Throws 404 if the subject does
   * not exist.
   */
  async #read(
    at: Revision,
    { listed: { operation, path }, asked, caller: { token, version } }: Question,
  ): Promise<Body | undefined> {
    const body = await renderPage(this.#service, operation, path, asked, at);
    const unchangedSince = this.#service.store.registry.isUnchanged(token.organization, version);
    if (!unchangedSince && !(await isKept(this.#service, at))) return undefined;
    if (body === undefined) throw absent(operation.subject.of, path[operation.subject.parameter] ?? "");
    return body;
  }
}
