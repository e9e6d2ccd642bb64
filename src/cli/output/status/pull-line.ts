import type { Client } from "../../../connectors/gitbook/api/client.ts";
import type { PullProgress } from "../../../connectors/gitbook/pull.ts";
import { StatusLine } from "./status-line.ts";

/** The progress of a pull on one line of the terminal; nothing if there is no terminal. */
export class PullLine {
  readonly #line = new StatusLine();
  readonly #client: Client;
  readonly #began = Date.now();
  readonly #clock: NodeJS.Timeout;
  #step: PullProgress = {
    phase: "lists",
    contents: { done: 0, of: 0 },
    requests: { done: 0, of: undefined },
  };

  constructor(client: Client) {
    this.#client = client;
    // While the pull waits for the rate limit, nothing else redraws the line.
    this.#clock = setInterval(() => this.#show(), 1000).unref();
  }

  report(step: PullProgress): void {
    this.#step = step;
    this.#show();
  }

  /** Shows that the pull now compares roles (`--verify`). The number of remaining requests is then unknown. */
  compare(): void {
    this.report({ ...this.#step, phase: "comparing", requests: { done: 0, of: undefined } });
  }

  /** Removes the line. May be called more than once. */
  end(): void {
    clearInterval(this.#clock);
    this.#line.end();
  }

  #show(): void {
    this.#line.show(() =>
      progressText(this.#step, {
        requests: this.#client.requests,
        elapsed: Date.now() - this.#began,
        held: this.#client.heldUntil - Date.now(),
      }),
    );
  }
}

/**
 * A line such as `content 312/460 · 609 of ~997 requests · ~9 min · waiting 23 s for the limit`. Times are in
 * milliseconds.
 */
export function progressText(
  { phase, contents, requests: { of } }: PullProgress,
  { requests, elapsed, held }: { requests: number; elapsed: number; held: number },
): string {
  const parts = [phase === "content" ? `content ${contents.done}/${contents.of}` : phase];
  if (of === undefined) parts.push(`${requests} requests`);
  else {
    const total = Math.max(of, requests);
    parts.push(`${requests} of ~${total} requests`);
    if (requests > 0 && total > requests)
      parts.push(`~${duration((elapsed / requests) * (total - requests))}`);
  }
  if (held > 0) parts.push(`waiting ${Math.ceil(held / 1000)} s for the limit`);
  return parts.join(" · ");
}

function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
