import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, UsageError } from "../domain/error.ts";
import type { Setting } from "./settings/setting.ts";
import { readSettings } from "./settings/settings.ts";
import { SETTINGS } from "./settings/table.ts";

export interface Remote {
  /** Without `/v1` and without a final slash. */
  readonly url: string;
  readonly token: string;
}

export interface RemotePage {
  readonly items: readonly unknown[];
  readonly next: string | undefined;
  readonly revision: string | undefined;
}

/** The time limit of a request, in milliseconds. */
const LONGEST = 120_000;
/** How often a page is requested if the server is unavailable, and if it limits the rate. */
const TRIES = 5;
const BUSY_TRIES = 10;
/** The statuses with which a server or a proxy says that it is unavailable for a while. */
const AWAY = [502, 503, 504];

/**
 * The server that `ROLEBOOK_URL` and `ROLEBOOK_TOKEN` name. Throws a UsageError if one of them is missing or invalid.
 */
export function readRemote(environment: NodeJS.ProcessEnv): Remote {
  const { remoteUrl, remoteToken } = readSettings(environment);
  return { url: needed(SETTINGS.remoteUrl, remoteUrl), token: needed(SETTINGS.remoteToken, remoteToken) };
}

function needed({ name, accepted }: Setting<string | undefined>, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`${name} is not set; accepted: ${accepted}.`);
}

/**
 * Requests a page. If the server limits the rate or is unavailable, says so to `note`, waits and tries again. Throws a
 * CommandError after the last try, and for every other refusal.
 */
export async function askPage(
  remote: Remote,
  path: string,
  note: (message: string) => void,
): Promise<RemotePage> {
  for (let away = 0, busy = 0; ;) {
    const answer = await ask(remote, path);
    if (answer.status === 200) return pageOf(answer, remote);
    const busyNow = answer.status === 429;
    if (busyNow ? ++busy >= BUSY_TRIES : !isAway(answer) || ++away >= TRIES) {
      throw new CommandError(refusalOf(answer, remote));
    }
    const seconds = answer.retryAfter ?? (busyNow ? 60 : 2 ** (away - 1));
    const reason = busyNow ? "Too many requests" : `The server is not answering (${answer.reason})`;
    note(`${reason}; retrying in ${seconds} s.`);
    await sleep(seconds * 1000);
  }
}

/** `status` is 0 if there is no answer. */
interface Answer {
  readonly status: number;
  /** The message of the error, or why there is no answer. */
  readonly reason: string;
  readonly body: unknown;
  readonly revision: string | undefined;
  /** In seconds. */
  readonly retryAfter: number | undefined;
}

async function ask({ url, token }: Remote, path: string): Promise<Answer> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url + path, {
      headers: { authorization: `Bearer ${token}`, accept: "application/json" },
      // A redirect to another server must not receive the token.
      redirect: "manual",
      signal: AbortSignal.timeout(LONGEST),
    });
    text = await response.text();
  } catch (error) {
    return { status: 0, reason: causeOf(error), body: undefined, revision: undefined, retryAfter: undefined };
  }
  const body = parse(text);
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return {
    status: response.status,
    reason: messageIn(body) ?? `status ${response.status}`,
    body,
    revision: response.headers.get("x-rolebook-revision") ?? undefined,
    retryAfter: Number.isFinite(seconds) ? Math.max(1, seconds) : undefined,
  };
}

function isAway({ status }: Answer): boolean {
  return status === 0 || AWAY.includes(status);
}

function pageOf({ body, revision }: Answer, { url }: Remote): RemotePage {
  if (isObject(body) && Array.isArray(body.items) && body.count === body.items.length) {
    const items: unknown[] = body.items;
    const next = isObject(body.next) ? String(body.next.page) : undefined;
    return { items, next, revision };
  }
  throw new CommandError(`${url} does not answer like a Rolebook server; check ROLEBOOK_URL.`);
}

function refusalOf({ status, reason, body }: Answer, { url }: Remote): string {
  if (status === 0) return `${url} cannot be reached: ${reason}.`;
  const known = messageIn(body);
  if (known === undefined) return `${url} answers with status ${status}; check ROLEBOOK_URL.`;
  if (status === 401)
    return `${known} Set ROLEBOOK_TOKEN to a token that rolebook token create printed on the server.`;
  return known;
}

/** The `message` of an error body (contract, section 6). */
function messageIn(body: unknown): string | undefined {
  const error = isObject(body) ? body.error : undefined;
  return isObject(error) && typeof error.message === "string" ? error.message : undefined;
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer in ${LONGEST / 1000} s`;
  const { cause } = error;
  // `fetch` has the reason in the cause of its error. If it tried several addresses, the cause has an error for each.
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  return inner instanceof Error && inner.message !== "" ? inner.message : error.message;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
