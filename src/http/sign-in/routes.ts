/** Signing in to the explorer and out of it (docs/sign-in.md). Without the settings there are no such routes. */
import type { FastifyBaseLogger } from "fastify";
import { ApiError, CommandError } from "../../domain/error.ts";
import { SIGN_IN_PATHS, type SignInProblem } from "../../explorer/wire/protocol.ts";
import { quote } from "../../domain/text.ts";
import { beginSession, endSession } from "../../store/sign-ins.ts";
import { clientOf, networkOf } from "../callers.ts";
import { type Answer, type Exchange, NO_BODY, type Route } from "../exchange.ts";
import { parseQuery } from "../query.ts";
import type { Service } from "../service.ts";
import { Attempts, isInside } from "./attempt.ts";
import type { Asking } from "./exchanges.ts";
import type { Provider } from "./provider.ts";
import { type Sessions, mustBeOurPage, mustHaveOurOrigin } from "./sessions.ts";
import { SignInError } from "./setup.ts";

type Logger = Pick<FastifyBaseLogger, "warn" | "error">;

export function signInRoutes(service: Service, log: Logger): Route[] {
  const { sessions } = service;
  if (sessions === undefined) return [];
  const signIn = new SignIn(service, sessions, log);
  return [
    { path: SIGN_IN_PATHS.begin, open: true, handler: (exchange) => signIn.begin(exchange) },
    { path: SIGN_IN_PATHS.callback, open: true, handler: (exchange) => signIn.end(exchange) },
    { path: SIGN_IN_PATHS.out, open: true, method: "POST", handler: (exchange) => signIn.out(exchange) },
  ];
}

class SignIn {
  readonly #service: Service;
  readonly #sessions: Sessions;
  readonly #log: Logger;
  readonly #attempts: Attempts;
  #loaded: Promise<Provider> | undefined;

  constructor(service: Service, sessions: Sessions, log: Logger) {
    this.#service = service;
    this.#sessions = sessions;
    this.#log = log;
    this.#attempts = new Attempts(sessions.setup);
  }

  /** Sends the browser to the provider. Writes nothing: what the end must find again is in a cookie. */
  async begin(exchange: Exchange): Promise<Answer> {
    const { headers } = exchange.request;
    const { cookies } = this.#sessions;
    const back = parseQuery(exchange.query, ["to"]).get("to") ?? "";
    if (!isInside(back)) {
      throw new ApiError(
        "badRequest",
        `The parameter to is ${quote(back)}; accepted: the query of an address of the page, such as ?space=ID.`,
      );
    }
    return this.#orProblem(async () => {
      const provider = await this.#provider();
      const isOut = cookies.isSignedOut(headers);
      const { url, attempt } = await provider.begin(askingOf(exchange), this.#callback(), back, isOut);
      return sendTo(url.href, [cookies.setAttempt(await this.#attempts.seal(attempt))]);
    });
  }

  /** The provider sends the browser here. Begins a session, or says why not; the address of both has no code. */
  async end(exchange: Exchange): Promise<Answer> {
    const { headers } = exchange.request;
    const { cookies, setup } = this.#sessions;
    const sealed = cookies.attempt(headers) ?? "";
    const url = new URL(`${this.#callback()}?${exchange.query}`);
    return this.#orProblem(async () => {
      const attempt = await this.#attempts.open(sealed);
      if (attempt === undefined) return this.#problem("again");
      // Another tab began this attempt, or another site sent the browser here: it does not end by an answer to another.
      if (url.searchParams.get("state") !== attempt.state) return sendTo(this.#page("again"));
      const provider = await this.#provider();
      const { subject, claimed, lacks } = await provider.end(askingOf(exchange), url, attempt);
      const { issuer, organization, lifetimes } = setup;
      const account = { organization, issuer, subject };
      const old = cookies.session(headers);
      const begun = await beginSession(this.#service.store, account, claimed, lifetimes, old);
      if (typeof begun === "string") return this.#problem("refused", lacks ?? begun);
      return sendTo(this.#home(attempt.back), [cookies.setSession(begun.session), cookies.clearAttempt()]);
    });
  }

  /** Ends the session of the browser. Does so only for our own page, and also if there is no session any more. */
  async out({ request: { headers } }: Exchange): Promise<Answer> {
    mustHaveOurOrigin(headers, this.#service.publicUrl);
    mustBeOurPage(headers);
    const { cookies } = this.#sessions;
    const session = cookies.session(headers);
    if (session !== undefined) {
      try {
        await endSession(this.#service.store.engine, session);
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        throw new ApiError(
          "unavailable",
          "The database cannot be written now, so the session goes on; try again.",
          {
            "retry-after": "5",
          },
        );
      }
    }
    const answer = sendTo(this.#home(), [cookies.setSignedOut(), cookies.clearAttempt()]);
    return { ...answer, headers: [...answer.headers, "clear-site-data", '"cache"'] };
  }

  /** The provider, loaded at the first sign-in; the next one tries again if that failed. */
  #provider(): Promise<Provider> {
    this.#loaded ??= import("./provider.ts").then(
      ({ Provider }) => new Provider(this.#sessions.setup, this.#attempts),
    );
    this.#loaded.catch(() => (this.#loaded = undefined));
    return this.#loaded;
  }

  #callback(): string {
    return new URL(`${this.#service.publicUrl}${SIGN_IN_PATHS.callback}`).href;
  }

  /** An address of the page; `query` is empty or begins with `?`. */
  #home(query = ""): string {
    return `${this.#service.publicUrl}/${query}`;
  }

  async #orProblem(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (error instanceof CommandError) return this.#problem("unwritable", "database");
      if (error instanceof SignInError) return this.#problem(error.problem, error.word);
      this.#log.error({ err: error }, "unexpected error");
      return this.#problem("failed");
    }
  }

  /** Sends the browser to the page, which says what is wrong. The log says why, with nothing about the person. */
  #problem(problem: SignInProblem, why?: string): Answer {
    if (why !== undefined) this.#log.warn({ problem, why }, "nobody was signed in");
    return sendTo(this.#page(problem), [this.#sessions.cookies.clearAttempt()]);
  }

  #page(problem: SignInProblem): string {
    return this.#home(`?sign-in=${problem}`);
  }
}

function askingOf({ request }: Exchange): Asking {
  return { network: networkOf(clientOf(request) ?? ""), isGone: () => request.raw.socket.destroyed };
}

interface Redirect extends Answer {
  readonly headers: string[];
}

function sendTo(location: string, cookies: readonly string[] = []): Redirect {
  const headers = [
    ["location", location],
    ["cache-control", "no-store"],
    ["referrer-policy", "no-referrer"],
    ["content-length", "0"],
    ...cookies.map((cookie) => ["set-cookie", cookie]),
  ].flat();
  return { status: 303, headers, body: NO_BODY };
}
