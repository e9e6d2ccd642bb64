/**
 * GitBook's API, as a client meets it: where it is and its token, and a client that keeps to the rate limit that answers
 * announce, retries and walks through lists.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, UsageError } from "../../domain/error.ts";
import { type JsonObject, isObject } from "../../domain/json.ts";
import { unopened } from "../../snapshot/input.ts";
import { type Allowance, type Api, type ApiAnswer, askApi } from "../api.ts";

export const OFFICIAL_API = "https://api.gitbook.com";

/**
 * Parses `--api`; the default is the official API. The API gets the token, so only an address on this machine may be
 * unencrypted. Throws a UsageError for any other address.
 */
export function readApiUrl(value: string = OFFICIAL_API): string {
  const url = URL.parse(value);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url === null || !isSafe || url.username + url.password + url.search + url.hash !== "") {
    // An address with a user name may have a password.
    const shown = value.includes("@") ? "not understood" : JSON.stringify(value);
    throw new UsageError(
      `--api is ${shown}; accepted: an https address, or an http address of this machine, ` +
        "without user, query and fragment.",
    );
  }
  return url.href.replace(/\/+$/, "").replace(/\/v1$/, "");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Reads the token from `file`, or from `GITBOOK_TOKEN` without one. Errors never show the token. */
export function readToken(file: string | undefined, environment: NodeJS.ProcessEnv): string {
  const source = file === undefined ? "GITBOOK_TOKEN" : `The token file ${file}`;
  const token = (file === undefined ? (environment.GITBOOK_TOKEN ?? "") : textOf(file)).trim();
  if (/^[\u0021-\u007E]+$/.test(token)) return token;
  throw new UsageError(
    `${source} is ${token === "" ? "not set or empty" : "not a token"}; accepted: a GitBook API token ` +
      "of an organization admin, in GITBOOK_TOKEN or in the file that --token-file names.",
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const reason = unopened(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    throw new CommandError(`The token file ${file} cannot be read: ${reason}.`, { cause });
  }
}

/** An answer whose body is JSON, unless it has no status. */
export interface GitBookAnswer extends ApiAnswer {
  readonly body: JsonObject;
}

/** The time limit of a request in milliseconds, to the last byte of its answer. */
const DEADLINE = 60_000;

/** Delays requests, so that all callers together keep to a rate and to the API's limit. */
class Pacer {
  readonly #interval: number;
  readonly #signal: AbortSignal;
  #next = 0;
  #heldUntil = 0;

  /** `rate` is in requests per minute; `Infinity` is no limit. `signal` ends all waits. */
  constructor(rate: number, signal: AbortSignal) {
    this.#interval = 60_000 / rate;
    this.#signal = signal;
  }

  /** In milliseconds since 1970; in the past if nothing delays requests. */
  get heldUntil(): number {
    return this.#heldUntil;
  }

  /** Resolves when the next request may be sent. */
  async turn(): Promise<void> {
    const mine = Math.max(Date.now(), this.#next);
    this.#next = mine + this.#interval;
    // Another answer may prolong the delay meanwhile.
    for (;;) {
      this.#signal.throwIfAborted();
      const wait = Math.max(mine, this.#heldUntil) - Date.now();
      if (wait <= 0) return;
      await sleep(wait, undefined, { signal: this.#signal }).catch(() => this.#signal.throwIfAborted());
    }
  }

  hold(milliseconds: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, Date.now() + milliseconds);
  }

  /** Delays all requests, for at most `longest` milliseconds, if an answer says that the limit is used up. */
  heed({ remaining, wait }: Allowance, longest: number): void {
    if (remaining === 0 && wait !== undefined) this.hold(Math.min(wait, longest));
  }
}

export interface ClientOptions {
  /** Requests per minute; `Infinity` for no limit of our own. */
  readonly rate?: number;
  /** The most concurrent requests. */
  readonly concurrency?: number;
  /** How long the rate limit may delay one request, in milliseconds. */
  readonly maxWait?: number;
  /** The time limit of one request, in milliseconds. */
  readonly deadline?: number;
  /** The delay before the first retry, in milliseconds. It doubles with each further retry. */
  readonly backOff?: number;
}

type RequestQuery = Readonly<Record<string, string | number>>;

export const DEFAULTS = {
  rate: Infinity,
  concurrency: 4,
  maxWait: 15 * 60_000,
  deadline: DEADLINE,
  backOff: 500,
};
/** How often a request is tried while the API is unavailable, and how often a list is begun if its pages expire. */
const TRIES = 7;
const BEGINNINGS = 4;
const LONGEST_BACK_OFF = 60_000;
/** The statuses with which a server or a proxy says that it is unavailable for a while; 0 is no answer. */
const AWAY = [0, 408, 500, 502, 503, 504, 520, 521, 522, 523, 524];
/** The statuses with which the API may refuse an expired page. */
const EXPIRED = [400, 404, 410, 422];
const MOST_ENTRIES = 1000;

/**
 * Sends requests to GitBook's API, with retries and within its rate limit. A refusal, or the last failed try, throws a
 * CommandError from every call that is in progress.
 */
export class GitBookClient {
  readonly api: Api;
  readonly #options: Required<ClientOptions>;
  readonly #stop = new AbortController();
  readonly #pacer: Pacer;
  #requests = 0;

  constructor(api: Api, options: ClientOptions = {}) {
    this.api = api;
    this.#options = { ...DEFAULTS, ...options };
    this.#pacer = new Pacer(this.#options.rate, this.#stop.signal);
  }

  get requests(): number {
    return this.#requests;
  }

  /**
   * The time, in milliseconds since 1970, until which the rate limit delays requests; in the past if it delays none.
   */
  get heldUntil(): number {
    return this.#pacer.heldUntil;
  }

  get concurrency(): number {
    return this.#options.concurrency;
  }

  /** Ends every call in progress. It and all later calls throw `reason`. */
  stop(reason: unknown): void {
    this.#stop.abort(reason);
  }

  /** Throws the reason if `stop` was called. */
  mustGoOn(): void {
    this.#stop.signal.throwIfAborted();
  }

  /** `undefined` for a 404. */
  async get(path: readonly string[]): Promise<JsonObject | undefined> {
    const answer = await this.#settled(pathOf(path));
    if (answer.status === 404) return undefined;
    return answer.status === 200 ? answer.body : this.#refused(pathOf(path), answer);
  }

  /**
   * Gives every entry of a list to `take`; returns false if there is no such list. Entries may come twice: if a page
   * expires, the list is read from its beginning again.
   */
  async walk(
    path: readonly string[],
    query: RequestQuery,
    take: (entry: JsonObject) => void,
  ): Promise<boolean> {
    for (let beginning = 1; beginning <= BEGINNINGS; beginning++) {
      const ended = await this.#walkOnce(pathOf(path), query, take);
      if (ended !== "expired") return ended === "whole";
    }
    return this.#fail(
      `The pages of GET ${pathOf(path)} expired ${BEGINNINGS} times before the last was read.`,
    );
  }

  async #walkOnce(
    path: string,
    query: RequestQuery,
    take: (entry: JsonObject) => void,
  ): Promise<"whole" | "absent" | "expired"> {
    const seen = new Set<string>();
    for (let page: string | undefined; ;) {
      const target =
        path + search({ limit: MOST_ENTRIES, ...query, ...(page === undefined ? {} : { page }) });
      const answer = await this.#settled(target);
      if (page !== undefined && EXPIRED.includes(answer.status)) return "expired";
      if (answer.status === 404) return "absent";
      if (answer.status !== 200) return this.#refused(path, answer);
      const { items, next } = answer.body;
      if (!Array.isArray(items))
        return this.#fail(`GET ${path} does not answer with a list, as GitBook does.`);
      for (const item of items) {
        if (!isObject(item)) return this.#fail(`GET ${path} lists an entry that is not an object.`);
        take(item);
      }
      const following = isObject(next) ? next.page : undefined;
      if (following === undefined || following === null || following === "") return "whole";
      if (seen.has(String(following))) return "expired";
      page = String(following);
      seen.add(page);
    }
  }

  /** One page of a list as it was answered, for examining the API. */
  async page(path: readonly string[], query: RequestQuery): Promise<GitBookAnswer> {
    return this.#settled(pathOf(path) + search(query));
  }

  /** The first answer that is neither a rate limit nor a temporary failure. */
  async #settled(target: string): Promise<GitBookAnswer> {
    let waited = 0;
    for (let tries = 1, away = 1; ; tries++) {
      await this.#pacer.turn();
      this.#requests++;
      const { deadline, backOff, maxWait } = this.#options;
      const answer = withBody(await askApi(this.api, target, { deadline, signal: this.#stop.signal }));
      const isAway = AWAY.includes(answer.status);
      if (!isAway && answer.status !== 429) {
        this.#pacer.heed(answer.allowance, maxWait);
        return answer;
      }
      if (isAway && away++ === TRIES) return this.#refused(target, answer);
      const own = Math.min(backOff * 2 ** (tries - 1), LONGEST_BACK_OFF) * (0.5 + Math.random());
      const wait = Math.max(answer.allowance.wait ?? 0, own);
      waited += wait;
      if (waited > maxWait) return this.#waitedInVain(target, answer, wait);
      this.#pacer.hold(wait);
    }
  }

  #waitedInVain(target: string, { status, reason }: GitBookAnswer, wait: number): never {
    const limit = status === 429 ? "has had too many requests" : `does not answer (${reason})`;
    return this.#fail(
      `${this.api.url} ${limit} and wants GET ${target} to wait ${Math.ceil(wait / 1000)} s more, which is above --max-wait. ` +
        "Nothing was written.",
    );
  }

  #refused(path: string, { status, reason }: GitBookAnswer): never {
    const { url } = this.api;
    if (status === 401) return this.#fail(`${url} does not accept the token (401: ${reason}).`);
    if (status === 403) {
      return this.#fail(
        `The token may not request GET ${path} (403: ${reason}). A part of an organization would look like ` +
          "a mass revocation: use a token of an organization admin.",
      );
    }
    if (status === 0) return this.#fail(`${url} cannot be reached for GET ${path}: ${reason}.`);
    return this.#fail(`${url} refuses GET ${path} (${status}: ${reason}).`);
  }

  #fail(message: string): never {
    const error = new CommandError(message);
    this.stop(error);
    throw error;
  }
}

/** An answer without JSON that should have some may be a proxy's: it counts as none. */
function withBody({ status, body, reason, ...answer }: ApiAnswer): GitBookAnswer {
  if (body !== undefined || status < 200 || status >= 300)
    return { ...answer, status, reason, body: body ?? {} };
  return { ...answer, status: 0, reason: `status ${status} without JSON`, body: {} };
}

/** The path below `/v1`. Throws a CommandError for a segment such as `..`, which would lead elsewhere. */
function pathOf(segments: readonly string[]): string {
  const encoded = segments.map((segment) => {
    if (segment !== "" && segment !== "." && segment !== ".." && segment.isWellFormed())
      return encodeURIComponent(segment);
    throw new CommandError(`The id ${JSON.stringify(segment)} cannot be part of a request's path.`);
  });
  return `/v1/${encoded.join("/")}`;
}

function search(query: RequestQuery): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/**
 * Runs `work` for every item, as many at a time as the client allows. The first failure ends the running work, starts
 * no other, and is thrown.
 */
export async function each<Item>(
  client: GitBookClient,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  async function worker(): Promise<void> {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      client.mustGoOn();
      await work(next.value);
    }
  }
  const workers = Array.from({ length: client.concurrency }, async () => {
    await worker().catch((error: unknown) => client.stop(error));
  });
  await Promise.all(workers);
  client.mustGoOn();
}
