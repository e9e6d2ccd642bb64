import { CommandError } from "../../../domain/error.ts";
import { type Allowance, allowanceOf } from "./allowance.ts";
import type { Api } from "./api.ts";
import { isJson, type Json } from "./json.ts";

export interface Answer {
  /** 0 if there was no answer, or one whose body is not JSON. */
  readonly status: number;
  readonly body: Json;
  /** The error message of GitBook or of a proxy, or why there is no answer. */
  readonly reason: string;
  readonly allowance: Allowance;
  readonly headers: Headers;
}

/** The time limit of a request in milliseconds, to the last byte of its answer. */
export const DEADLINE = 60_000;
/** In bytes. A page of 1,000 entries has about 3 MB. */
const LARGEST_BODY = 64 << 20;

/**
 * Sends one request. A failure that may be temporary has status 0. Throws a CommandError for a redirect, because no
 * other host may get the token, and for a body that is too large.
 */
export async function ask(
  api: Api,
  path: string,
  { deadline, signal }: { deadline: number; signal: AbortSignal },
): Promise<Answer> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(api.url + path, {
      headers: { authorization: `Bearer ${api.token}`, accept: "application/json" },
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(deadline), signal]),
    });
    text = await bounded(response, path);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CommandError) throw error;
    const headers = new Headers();
    return {
      status: 0,
      body: {},
      reason: reasonOf(error, deadline),
      headers,
      allowance: allowanceOf(headers, 0),
    };
  }
  const { headers, status } = response;
  const allowance = allowanceOf(headers, Date.now());
  if (status >= 300 && status < 400) {
    throw new CommandError(
      `${api.url} answers GET ${path} with a redirect (${status}). It was not followed: the token is for that address alone.`,
    );
  }
  const body = parse(text);
  if (response.ok && body === undefined) {
    return { status: 0, body: {}, reason: `status ${status} without JSON`, allowance, headers };
  }
  return { status, body: body ?? {}, reason: messageIn(body) ?? `status ${status}`, allowance, headers };
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

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function messageIn(body: Json | undefined): string | undefined {
  const error = body?.error;
  return isJson(error) && typeof error.message === "string" ? error.message : undefined;
}

function reasonOf(error: unknown, deadline: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no whole answer in ${deadline / 1000} s`;
  const { cause } = error;
  // `fetch` has the reason in the cause of its error. If it tried several addresses, the cause has an error for each.
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  return inner instanceof Error && inner.message !== "" ? inner.message : error.message;
}
