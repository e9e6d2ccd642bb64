/** The requests of a session, and how the server refuses them. */
import type { Me } from "../../wire/answers.ts";
import type { ExplorerPath, DatedRevision, Stamp } from "../../wire/protocol.ts";
import { Observable } from "../parts/observable.ts";
import { ServerConnection } from "./connection.ts";

type EndpointOf<Path> = Path extends `/explorer/${infer Name}` ? Name : never;
/** What a session asks: the last part of a path of the explorer. */
export type Endpoint = EndpointOf<ExplorerPath>;
export type QueryValues = Readonly<Record<string, string | number | undefined>>;

/** A server that does not answer within this time (ms) counts as away. */
const ANSWER_TIME = 60_000;

/**
 * Sends the requests of one session, to `/explorer/…` with one token or the cookie. The first answer decides the shown
 * revision, and every later request names it. The client holds all data of the session, so signing out drops them with
 * it.
 */
export class Client {
  readonly connection = new ServerConnection(() => this.#probe());
  /** `undefined` until the first answer. */
  readonly shown = new Observable<DatedRevision | undefined>(undefined);
  /** The server's current revision, if newer than the shown one. */
  readonly newer = new Observable<DatedRevision | undefined>(undefined);
  readonly me = new Observable<Me | undefined>(undefined);
  /** The server's refusal, if the revision that the page requests cannot be read. */
  readonly unreadable = new Observable<Refusal | undefined>(undefined);
  /** Counts the changes of the shown revision. */
  readonly reloads = new Observable(0);
  readonly #token: string | undefined;
  readonly #at: Observable<string | undefined>;
  readonly #onSignedOut: () => void;

  /** `at` is the WHEN of all requests (`Navigation.at`). Without `token`, the browser's cookie names the caller. */
  constructor(token: string | undefined, at: Observable<string | undefined>, onSignedOut: () => void) {
    this.#token = token;
    this.#at = at;
    this.#onSignedOut = onSignedOut;
    at.subscribe(() => this.reload());
  }

  /**
   * Sends one request. Waits while the server is away or limits requests. Throws Refusal, Outdated, SignedOut, or an
   * AbortError.
   */
  async get<Answer extends Stamp>(
    endpoint: Endpoint,
    query: QueryValues,
    signal?: AbortSignal,
  ): Promise<Answer> {
    for (;;) {
      await this.connection.open(signal);
      const reload = this.reloads.value;
      let response: Response;
      try {
        const late = AbortSignal.timeout(ANSWER_TIME);
        response = await this.#send(
          endpoint,
          { ...query, ...this.#revisionQuery(endpoint) },
          signal ? AbortSignal.any([signal, late]) : late,
        );
        if (response.ok) {
          const answer: Answer = await response.json();
          this.connection.reached();
          if (isOfEveryRevision(endpoint)) return answer;
          if (reload !== this.reloads.value) throw new Outdated();
          if (!this.#isOfShownRevision(answer) && endpoint !== "me") throw new Outdated();
          return answer;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof Outdated) throw error;
        this.connection.lost();
        continue;
      }
      const pause = retryAfter(response);
      if (isAway(response.status)) this.connection.lost(pause);
      else if (response.status === 429) this.connection.limited(pause ?? 5);
      else {
        this.connection.reached();
        throw await this.#refusalOf(response);
      }
    }
  }

  /** Requests a CSV file, without waiting. Throws like `get`, and a TypeError if the server does not answer. */
  async stream(query: QueryValues, signal: AbortSignal, endpoint: Endpoint = "csv"): Promise<Response> {
    // After `reload`, no revision is shown until an answer names it, and a file must be of the shown one.
    if (this.shown.value === undefined) await this.get<Me>("me", {}, signal);
    const response = await this.#send(endpoint, { ...query, ...this.#revisionQuery(endpoint) }, signal);
    if (!response.ok) throw await this.#refusalOf(response);
    const revision = response.headers.get("x-rolebook-revision");
    if (revision !== null && revision !== String(this.shown.value?.revision)) {
      void this.refresh();
      throw new Outdated();
    }
    return response;
  }

  /**
   * Answers a decided report at the current revision. Repeats the request if the server does not answer: it changes
   * nothing. Throws like `stream`.
   */
  async review(answer: string, body: object, signal: AbortSignal): Promise<Response> {
    const ask = () => this.#send("review", { answer }, signal, JSON.stringify(body));
    const first = await ask().catch((error: unknown) => {
      signal.throwIfAborted();
      return error instanceof TypeError ? undefined : Promise.reject(error);
    });
    const response = first === undefined || isAway(first.status) ? await ask() : first;
    if (!response.ok) throw await this.#refusalOf(response);
    return response;
  }

  /** `me` at the current revision, whichever revision is shown. */
  async now(signal: AbortSignal): Promise<Me> {
    const response = await this.#send("me", {}, signal);
    if (!response.ok) throw await refusalOf(response);
    const answer: Me = await response.json();
    return answer;
  }

  /** Requests `me`, which tells of a newer revision or a revoked token. */
  async refresh(): Promise<void> {
    const reload = this.reloads.value;
    try {
      this.#remember(await this.get<Me>("me", {}));
      this.unreadable.set(undefined);
    } catch (error) {
      if (reload === this.reloads.value && this.#at.value !== undefined && error instanceof Refusal)
        this.unreadable.set(error);
      throw error;
    }
  }

  /** Makes the page show the newest revision; the next answer decides which one that is. */
  reload(): void {
    this.newer.set(undefined);
    this.shown.set(undefined);
    this.unreadable.set(undefined);
    this.reloads.set(this.reloads.value + 1);
    void this.refresh().catch(() => {});
  }

  #send(endpoint: Endpoint, query: QueryValues, signal: AbortSignal, json?: string): Promise<Response> {
    const url = new URL(`explorer/${endpoint}`, document.baseURI);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return fetch(url, {
      ...(json !== undefined && { method: "POST", body: json }),
      credentials: this.#token === undefined ? "same-origin" : "omit",
      headers: {
        ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
        ...(json !== undefined && { "content-type": "application/json" }),
      },
      // Answers must not outlive the session in the browser's cache.
      cache: "no-store",
      redirect: "error",
      signal,
    });
  }

  #revisionQuery(endpoint: Endpoint): QueryValues {
    if (isOfEveryRevision(endpoint)) return {};
    if (this.#at.value !== undefined) return { at: this.#at.value };
    return endpoint === "me" ? {} : { revision: this.shown.value?.revision };
  }

  /** Records the revision of an answer. Returns false if the page shows another revision. */
  #isOfShownRevision(stamp: Stamp): boolean {
    const current = stamp.newer ?? stamp;
    const shown = this.shown.value;
    if (!shown) {
      this.shown.set({ revision: stamp.revision, importedAt: stamp.importedAt });
      if (stamp.newer) this.newer.set(stamp.newer);
      return true;
    }
    if (current.revision !== shown.revision && current.revision !== this.newer.value?.revision)
      this.newer.set({ revision: current.revision, importedAt: current.importedAt });
    return stamp.revision === shown.revision;
  }

  async #probe(): Promise<boolean> {
    const response = await this.#send("me", this.#revisionQuery("me"), AbortSignal.timeout(10_000));
    if (isAway(response.status)) return false;
    if (response.status === 401) this.#onSignedOut();
    if (response.ok) this.#remember(await response.json());
    return true;
  }

  #remember(answer: Me): void {
    // Totals of another revision must not appear beside the lists of the shown one.
    if (this.#isOfShownRevision(answer)) this.me.set(answer);
  }

  async #refusalOf(response: Response): Promise<Error> {
    if (response.status !== 401) return refusalOf(response);
    this.#onSignedOut();
    return new SignedOut();
  }
}

/** True for endpoints whose answers are independent of the shown revision. */
function isOfEveryRevision(endpoint: Endpoint): boolean {
  return ["revisions", "since", "rules"].includes(endpoint);
}

/** Whether a status says that the server is away; a proxy or the server itself sends it. */
function isAway(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

function retryAfter(response: Response): number | undefined {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.max(1, seconds) : undefined;
}

/** The server refused a request; `message` is the server's. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The answer is from a revision other than the shown one. */
export class Outdated extends Error {
  override readonly name = "Outdated";

  constructor() {
    super("The directory was imported again.");
  }
}

export class SignedOut extends Error {
  override readonly name = "SignedOut";
}

/** Reads `{"error": {"message"}}` (docs/errors.md), or any other answer of a proxy. */
async function refusalOf(response: Response): Promise<Refusal> {
  try {
    const body: unknown = await response.json();
    if (typeof body === "object" && body !== null && "error" in body) {
      const { error } = body;
      if (typeof error === "object" && error !== null && "message" in error)
        return new Refusal(response.status, String(error.message));
    }
  } catch {
    // The body is not JSON: a proxy sent it.
  }
  return new Refusal(response.status, `The server answered with status ${response.status}.`);
}
