import type { Me } from "../../wire/answers.ts";
import type { Revision, Stamp } from "../../wire/protocol.ts";
import { Observable } from "../parts/observable.ts";
import { type Connection, createConnection } from "./connection.ts";

export type Endpoint =
  | "me"
  | "overview"
  | "tree"
  | "search"
  | "counts"
  | "access"
  | "why"
  | "without"
  | "revisions"
  | "changes"
  | "since"
  | "rules";
export type FileEndpoint = "csv" | "report" | "tidy" | "outcomes" | "breaches";
export type Query = Readonly<Record<string, string | number | undefined>>;

/** A server that does not answer within this time (ms) counts as away. */
const PATIENCE = 60_000;

/**
 * Sends the requests of one session, to `/explorer/…` with one token. The first answer decides the shown revision, and
 * every later request names it. The client holds all data of the session, so signing out drops them with it.
 */
export interface Client {
  readonly connection: Connection;
  /** `undefined` until the first answer. */
  readonly shown: Observable<Revision | undefined>;
  /** The server's current revision, if newer than the shown one. */
  readonly newer: Observable<Revision | undefined>;
  readonly me: Observable<Me | undefined>;
  /** The server's refusal, if the revision that the page requests cannot be read. */
  readonly unreadable: Observable<Refusal | undefined>;
  /**
   * Sends one request. Waits while the server is away or limits requests. Throws Refusal, Outdated, SignedOut, or an
   * AbortError.
   */
  get<Answer extends Stamp>(endpoint: Endpoint, query: Query, signal?: AbortSignal): Promise<Answer>;
  /** Requests a CSV file, without waiting. Throws like `get`, and a TypeError if the server does not answer. */
  stream(query: Query, signal: AbortSignal, endpoint?: FileEndpoint): Promise<Response>;
  /** `me` at the current revision, whichever revision is shown. */
  now(signal: AbortSignal): Promise<Me>;
  /** Requests `me`, which tells of a newer revision or a revoked token. */
  refresh(): Promise<void>;
  /** Counts the changes of the shown revision. */
  readonly reloads: Observable<number>;
  /** Makes the page show the newest revision; the next answer decides which one that is. */
  reload(): void;
  stop(): void;
}

/** `at` is the WHEN of all requests (`Navigation.at`). */
export function createClient(
  token: string,
  at: Pick<Observable<string | undefined>, "value" | "subscribe">,
  onSignedOut: () => void,
): Client {
  const shown = new Observable<Revision | undefined>(undefined);
  const newer = new Observable<Revision | undefined>(undefined);
  const me = new Observable<Me | undefined>(undefined);
  const unreadable = new Observable<Refusal | undefined>(undefined);
  const reloads = new Observable(0);
  const connection = createConnection(probe);

  function send(endpoint: Endpoint | FileEndpoint, query: Query, signal?: AbortSignal): Promise<Response> {
    const url = new URL(`explorer/${endpoint}`, document.baseURI);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      // Answers must not outlive the session in the browser's cache.
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      ...(signal && { signal }),
    });
  }

  function revisionQuery(endpoint: Endpoint | FileEndpoint): Query {
    if (isOfEveryRevision(endpoint)) return {};
    if (at.value !== undefined) return { at: at.value };
    return endpoint === "me" ? {} : { revision: shown.value?.revision };
  }

  function signedOut(): SignedOut {
    onSignedOut();
    return new SignedOut();
  }

  /** Records the revision of an answer. Returns false if the page shows another revision. */
  function isOfShownRevision(stamp: Stamp): boolean {
    const current = stamp.newer ?? stamp;
    const page = shown.value;
    if (!page) {
      shown.set({ revision: stamp.revision, importedAt: stamp.importedAt });
      if (stamp.newer) newer.set(stamp.newer);
      return true;
    }
    if (current.revision !== page.revision && current.revision !== newer.value?.revision)
      newer.set({ revision: current.revision, importedAt: current.importedAt });
    return stamp.revision === page.revision;
  }

  async function get<Answer extends Stamp>(
    endpoint: Endpoint,
    query: Query,
    signal?: AbortSignal,
  ): Promise<Answer> {
    for (;;) {
      await connection.open(signal);
      const turn = reloads.value;
      let response: Response;
      try {
        const late = AbortSignal.timeout(PATIENCE);
        response = await send(
          endpoint,
          { ...query, ...revisionQuery(endpoint) },
          signal ? AbortSignal.any([signal, late]) : late,
        );
        if (response.ok) {
          const answer: Answer = await response.json();
          connection.reached();
          if (isOfEveryRevision(endpoint)) return answer;
          if (turn !== reloads.value) throw new Outdated();
          if (!isOfShownRevision(answer) && endpoint !== "me") throw new Outdated();
          return answer;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof Outdated) throw error;
        connection.lost();
        continue;
      }
      const pause = retryAfter(response);
      if (isAway(response.status)) connection.lost(pause);
      else if (response.status === 429) connection.limited(pause ?? 5);
      else {
        connection.reached();
        if (response.status === 401) throw signedOut();
        throw await refusalOf(response);
      }
    }
  }

  async function probe(): Promise<boolean> {
    const response = await send("me", revisionQuery("me"), AbortSignal.timeout(10_000));
    if (isAway(response.status)) return false;
    if (response.status === 401) signedOut();
    if (response.ok) remember(await response.json());
    return true;
  }

  function remember(answer: Me): void {
    // Totals of another revision must not appear beside the lists of the shown one.
    if (isOfShownRevision(answer)) me.set(answer);
  }

  async function refresh(): Promise<void> {
    const turn = reloads.value;
    try {
      remember(await get<Me>("me", {}));
      unreadable.set(undefined);
    } catch (error) {
      if (turn === reloads.value && at.value !== undefined && error instanceof Refusal) unreadable.set(error);
      throw error;
    }
  }

  function reload(): void {
    newer.set(undefined);
    shown.set(undefined);
    unreadable.set(undefined);
    reloads.set(reloads.value + 1);
    void refresh().catch(() => {});
  }
  at.subscribe(reload);

  return {
    connection,
    reloads,
    shown,
    newer,
    me,
    unreadable,
    get,
    refresh,
    reload,
    async now(signal) {
      const response = await send("me", {}, signal);
      if (!response.ok) throw await refusalOf(response);
      const answer: Me = await response.json();
      return answer;
    },
    async stream(query, signal, endpoint = "csv") {
      // After `turn`, no revision is shown until an answer names it, and a file must be of the shown one.
      if (shown.value === undefined) await get<Me>("me", {}, signal);
      const response = await send(endpoint, { ...query, ...revisionQuery(endpoint) }, signal);
      if (response.status === 401) throw signedOut();
      if (!response.ok) throw await refusalOf(response);
      const revision = response.headers.get("x-rolebook-revision");
      if (revision !== null && revision !== String(shown.value?.revision)) {
        void refresh();
        throw new Outdated();
      }
      return response;
    },
    stop() {
      connection.stop();
    },
  };
}

/** True for endpoints whose answers are independent of the shown revision. */
function isOfEveryRevision(endpoint: Endpoint | FileEndpoint): boolean {
  return endpoint === "revisions" || endpoint === "since" || endpoint === "rules";
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

/** Reads `{"error": {"message"}}` (contract, section 8), or any other answer of a proxy. */
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
