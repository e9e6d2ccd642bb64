import type { Client } from "../../../connectors/gitbook/api/client.ts";
import type { PullProgress } from "../../../connectors/gitbook/pull.ts";
import { StatusLine } from "./status-line.ts";

/** Shows the progress of a pull on one line of the terminal; nothing without a terminal. */
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
    // Redraws every second, because a pull that waits for the rate limit reports nothing.
    this.#clock = setInterval(() => this.#show(), 1000).unref();
  }

  report(step: PullProgress): void {
    this.#step = step;
    this.#show();
  }

  /** The pull compares roles from now on (`--verify`); how many requests this takes is not known. */
  compare(): void {
    this.report({ ...this.#step, phase: "comparing", requests: { done: 0, of: undefined } });
  }

  /** Removes the line. May be called again. */
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
 * Such as `content 312/460 · 609 of ~997 requests · ~9 min · waiting 23 s for the limit`. Times are in milliseconds.
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
