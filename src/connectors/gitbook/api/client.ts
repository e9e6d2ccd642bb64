import { CommandError } from "../../../domain/error.ts";
import { type Answer, ask, DEADLINE } from "./ask.ts";
import type { Api } from "./api.ts";
import { isJson, type Json } from "./json.ts";
import { Pacer } from "./pacer.ts";

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

type Query = Readonly<Record<string, string | number>>;

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
export class Client {
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
  async get(path: readonly string[]): Promise<Json | undefined> {
    const answer = await this.#settled(pathOf(path));
    if (answer.status === 404) return undefined;
    return answer.status === 200 ? answer.body : this.#refused(pathOf(path), answer);
  }

  /**
   * Gives every entry of a list to `take`; returns false if there is no such list. Entries may come twice: if a page
   * expires, the list is read from its beginning again.
   */
  async walk(path: readonly string[], query: Query, take: (entry: Json) => void): Promise<boolean> {
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
    query: Query,
    take: (entry: Json) => void,
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
        if (!isJson(item)) return this.#fail(`GET ${path} lists an entry that is not an object.`);
        take(item);
      }
      const following = isJson(next) ? next.page : undefined;
      if (following === undefined || following === null || following === "") return "whole";
      if (seen.has(String(following))) return "expired";
      page = String(following);
      seen.add(page);
    }
  }

  /** One page of a list as it was answered, for examining the API. */
  async page(path: readonly string[], query: Query): Promise<Answer> {
    return this.#settled(pathOf(path) + search(query));
  }

  /** The first answer that is neither a rate limit nor a temporary failure. */
  async #settled(target: string): Promise<Answer> {
    let waited = 0;
    for (let tries = 1, away = 1; ; tries++) {
      await this.#pacer.turn();
      this.#requests++;
      const { deadline, backOff, maxWait } = this.#options;
      const answer = await ask(this.api, target, { deadline, signal: this.#stop.signal });
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

  #waitedInVain(target: string, { status, reason }: Answer, wait: number): never {
    const limit = status === 429 ? "has had too many requests" : `does not answer (${reason})`;
    return this.#fail(
      `${this.api.url} ${limit} and wants GET ${target} to wait ${Math.ceil(wait / 1000)} s more, which is above --max-wait. ` +
        "Nothing was written.",
    );
  }

  #refused(path: string, { status, reason }: Answer): never {
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

/** The path below `/v1`. Throws a CommandError for a segment such as `..`, which would lead elsewhere. */
function pathOf(segments: readonly string[]): string {
  const encoded = segments.map((segment) => {
    if (segment !== "" && segment !== "." && segment !== ".." && segment.isWellFormed())
      return encodeURIComponent(segment);
    throw new CommandError(`The id ${JSON.stringify(segment)} cannot be part of a request's path.`);
  });
  return `/v1/${encoded.join("/")}`;
}

function search(query: Query): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
