import { readFileSync } from "node:fs";
import { unopened } from "../../../snapshot/input.ts";
import { CommandError, UsageError } from "../../../domain/error.ts";

export interface Api {
  /** Without `/v1` and without a final slash. */
  readonly url: string;
  readonly token: string;
}

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
