/** Finds the session of a request by its cookie. */
import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "../../domain/error.ts";
import { quote } from "../../domain/text.ts";
import { type FoundToken, type Token, hasExpired } from "../../store/revisions/registry.ts";
import { prolong } from "../../store/sign-ins.ts";
import type { Store } from "../../store/store.ts";

import { Cookies } from "./cookies.ts";
import type { Setup } from "./setup.ts";

export class Sessions {
  readonly setup: Setup;
  readonly cookies: Cookies;
  readonly #store: Store;
  /** The sessions whose end is being moved. */
  readonly #moving = new Set<string>();

  constructor(store: Store, setup: Setup, publicUrl: string) {
    this.#store = store;
    this.setup = setup;
    this.cookies = new Cookies(publicUrl);
  }

  /**
   * The session of a request; `undefined` if there is none, or if another provider or organization is set up now. Throws
   * 401 for several, which also clears ours, and 403 for a request that another site made the browser send.
   */
  async find(headers: IncomingHttpHeaders): Promise<FoundToken | undefined> {
    if (this.cookies.hasSeveralSessions(headers)) {
      throw new ApiError("unauthorized", "The cookie of the session is given twice; accepted: once.", {
        "www-authenticate": "Bearer",
        "set-cookie": this.cookies.clearSession(),
      });
    }
    const value = this.cookies.session(headers);
    if (value === undefined) return undefined;
    const { registry } = this.#store;
    const hashed = hash("sha256", value);
    let found = await registry.token(hashed);
    if (found !== undefined && hasExpired(found.token)) {
      // Another server may have moved the end, which it does not announce.
      registry.forget(hashed);
      found = await registry.token(hashed);
    }
    if (found === undefined || hasExpired(found.token) || !this.#isOurs(found.token)) return undefined;
    mustBeOurPage(headers);
    this.#move(found.token, hashed);
    return found;
  }

  #isOurs({ issuer, organization }: Token): boolean {
    return issuer === this.setup.issuer && organization === this.setup.organization;
  }

  /** Moves the end of a session, while the request goes on. */
  #move(token: Token, hashed: string): void {
    if (this.#moving.has(token.id)) return;
    this.#moving.add(token.id);
    // A database that cannot be written leaves the end as it is; the next use tries again.
    prolong(this.#store.engine, token, this.setup.lifetimes)
      .then(
        (moved) => moved && this.#store.registry.forget(hashed),
        () => {},
      )
      .finally(() => this.#moving.delete(token.id));
  }
}

/** Throws 403 unless the browser says that our own page sends the request. */
export function mustBeOurPage(headers: IncomingHttpHeaders): void {
  const site = headers["sec-fetch-site"];
  if (site === "same-origin") return;
  throw new ApiError(
    "forbidden",
    `A session counts only for requests of the page itself: Sec-Fetch-Site is ${site === undefined ? "absent" : quote(String(site))}; accepted: same-origin.`,
  );
}

/** Throws 403 unless the browser says that a page of our origin sends the request. */
export function mustHaveOurOrigin({ origin: sent }: IncomingHttpHeaders, publicUrl: string): void {
  const { origin } = new URL(publicUrl);
  if (sent === origin) return;
  const found = sent === undefined ? "absent" : quote(sent);
  throw new ApiError("forbidden", `The Origin is ${found}; accepted: ${origin}.`);
}
