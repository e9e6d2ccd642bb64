import { Worker } from "node:worker_threads";

/** Measurements of a watched server. */
export interface Seen {
  /** Peak memory, in bytes. */
  readonly peak: number;
  /** The latencies of `/healthz` in milliseconds, sorted. */
  readonly healthz: readonly number[];
}

/** Measures a server process during `work`: its memory, and the latency of `/healthz` on a separate connection. */
export async function watch(pid: number, port: number, work: () => Promise<void>): Promise<Seen> {
  const watcher = new Worker(new URL("./watcher.ts", import.meta.url), { workerData: { pid, port } });
  const seen = new Promise<Seen>((resolve, reject) => {
    watcher.once("message", resolve);
    watcher.once("error", reject);
  });
  try {
    // The watcher may fail before `work` ends.
    await Promise.race([work(), seen]);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    watcher.postMessage("over");
    return await seen;
  } finally {
    await watcher.terminate();
  }
}

/** A quantile of sorted numbers. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
