import type { Server } from "../server/server.ts";

/** An answer, and the time from the request to its last byte. */
export interface Timed {
  readonly ms: number;
  readonly text: string;
}

/** Sends one request. Throws unless the answer is a 200. */
export async function ask(server: Server, token: string, path: string): Promise<Timed> {
  const begin = performance.now();
  const response = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  const ms = performance.now() - begin;
  if (response.status !== 200) throw new Error(`GET ${path}: ${response.status} ${text}`);
  return { ms, text };
}

/** Formats the median and the greatest of `times`. */
export function spreadOf(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms, greatest ${at(1)} ms of ${sorted.length}`;
}

/**
 * Runs `work`, and sends a small request every 10 ms meanwhile. Returns the duration of `work` and the longest latency
 * of these requests, in ms.
 */
export async function beside(
  server: Server,
  work: () => Promise<void>,
): Promise<{ ms: number; longest: number }> {
  let longest = 0;
  const over = new AbortController();
  const probing = (async () => {
    while (!over.signal.aborted) {
      const begin = performance.now();
      await (await fetch(`${server.url}/healthz`)).text();
      longest = Math.max(longest, performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  const begin = performance.now();
  await work();
  const ms = performance.now() - begin;
  over.abort();
  await probing;
  return { ms, longest };
}
