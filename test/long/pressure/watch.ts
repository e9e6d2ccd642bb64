import { Worker } from "node:worker_threads";

/** What was measured of a server. */
export interface Seen {
  /** The peak memory of the server, in bytes. */
  readonly peak: number;
  /** The latencies of `/healthz` in milliseconds, sorted. */
  readonly healthz: readonly number[];
}

/** Measures a server process during `work`: its memory, and the latency of `/healthz` on a connection of its own. */
export async function watch(pid: number, port: number, work: () => Promise<void>): Promise<Seen> {
  const watcher = new Worker(new URL("./watcher.ts", import.meta.url), { workerData: { pid, port } });
  const seen = new Promise<Seen>((resolve, reject) => {
    watcher.once("message", resolve);
    watcher.once("error", reject);
  });
  try {
    // A failure of the watcher ends the test before `work` ends.
    await Promise.race([work(), seen]);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    watcher.postMessage("over");
    return await seen;
  } finally {
    await watcher.terminate();
  }
}

/** The value at a quantile of sorted numbers; `part` is from 0 to 1. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
