/** One request to a JSON API over HTTP, as the clients of GitBook and of a Rolebook server send it. */
import { CommandError } from "../domain/error.ts";
import { type JsonObject, isObject } from "../domain/json.ts";

export interface Api {
  /** Without `/v1` and without a final slash. */
  readonly url: string;
  readonly token: string;
}

/** What the headers of an answer say about the rate limit. */
export interface Allowance {
  /** The requests left in the current window; `undefined` if the headers do not say it. */
  readonly remaining: number | undefined;
  /** Milliseconds until the next request is allowed; `undefined` if the headers do not say it. */
  readonly wait: number | undefined;
}

/**
 * `X-RateLimit-Reset` is in seconds from now if it is below the first number, in seconds since 1970 if below the
 * second, and otherwise in milliseconds since 1970.
 */
const FIRST_EPOCH_SECONDS = 1e9;
const FIRST_EPOCH_MILLISECONDS = 1e11;

/**
 * Parses `Retry-After` and `X-RateLimit-*`. GitBook documents the reset in seconds since 1970, but servers also send
 * milliseconds, or seconds from now. Past times are ignored. The server's `Date` is the current time, because the clock
 * of this machine may be wrong.
 */
export function allowanceOf(headers: Headers, clock: number): Allowance {
  const date = Date.parse(headers.get("date") ?? "");
  const now = Number.isNaN(date) ? clock : date;
  return {
    remaining: numberIn(headers, "x-ratelimit-remaining"),
    wait: retryAfter(headers, now) ?? reset(headers, now),
  };
}

function retryAfter(headers: Headers, now: number): number | undefined {
  const seconds = numberIn(headers, "retry-after");
  if (seconds !== undefined) return seconds * 1000;
  return ahead(Date.parse(headers.get("retry-after") ?? ""), now);
}

function reset(headers: Headers, now: number): number | undefined {
  const value = numberIn(headers, "x-ratelimit-reset");
  if (value === undefined) return undefined;
  if (value < FIRST_EPOCH_SECONDS) return value * 1000;
  return ahead(value < FIRST_EPOCH_MILLISECONDS ? value * 1000 : value, now);
}

function ahead(time: number, now: number): number | undefined {
  return time > now ? time - now : undefined;
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name) ?? "";
  return /^\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}

export interface ApiAnswer {
  /** 0 if there was no answer. */
  readonly status: number;
  /** `undefined` if it is no JSON object. */
  readonly body: JsonObject | undefined;
  /** The error message of the API or of a proxy, or why there is no answer. */
  readonly reason: string;
  readonly allowance: Allowance;
  readonly headers: Headers;
}

/** In bytes. A page of 1,000 entries has about 3 MB. */
const LARGEST_BODY = 64 << 20;

/**
 * Sends one request. `deadline` is its time limit in milliseconds, to the last byte of its answer. A failure has status
 * 0. Throws a CommandError for a redirect, because no other host may get the token, and for a body that is too large.
 */
export async function askApi(
  api: Api,
  path: string,
  { deadline, signal }: { readonly deadline: number; readonly signal?: AbortSignal },
): Promise<ApiAnswer> {
  let response: Response;
  let text: string;
  const late = AbortSignal.timeout(deadline);
  try {
    response = await fetch(api.url + path, {
      headers: { authorization: `Bearer ${api.token}`, accept: "application/json" },
      redirect: "manual",
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    });
    text = await bounded(response, path);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CommandError) throw error;
    const headers = new Headers();
    const reason = reasonOf(error, deadline);
    return { status: 0, body: undefined, reason, headers, allowance: allowanceOf(headers, 0) };
  }
  const { headers, status } = response;
  if (status >= 300 && status < 400) {
    throw new CommandError(
      `${api.url} answers GET ${path} with a redirect (${status}). It was not followed: the token is for that address alone.`,
    );
  }
  const body = parse(text);
  const reason = messageIn(body) ?? `status ${status}`;
  return { status, body, reason, allowance: allowanceOf(headers, Date.now()), headers };
}

async function bounded(response: Response, path: string): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LARGEST_BODY) {
      throw new CommandError(`The answer to GET ${path} is larger than ${LARGEST_BODY} bytes.`);
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The object in a text; `undefined` if it is none. */
function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The `message` of an error body, in which GitBook and Rolebook agree. */
export function messageIn(body: JsonObject | undefined): string | undefined {
  const error = body?.error;
  return isObject(error) && typeof error.message === "string" ? error.message : undefined;
}

/** Why a request with a time limit, in milliseconds, has no answer. */
function reasonOf(error: unknown, deadline: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no whole answer in ${deadline / 1000} s`;
  const { cause } = error;
  // `fetch` has the reason in the cause of its error. If it tried several addresses, the cause has an error for each.
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  return inner instanceof Error && inner.message !== "" ? inner.message : error.message;
}
