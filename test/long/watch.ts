import { Worker } from "node:worker_threads";

/** What was seen of a server while it was watched. */
export interface Seen {
  /** The most memory that it held, in bytes. */
  readonly peak: number;
  /** How long `/healthz` took, in milliseconds, in order. */
  readonly healthz: readonly number[];
}

/** Watches a server process while `work` runs: its memory, and how quick `/healthz` is on a connection of its own. */
export async function watch(pid: number, port: number, work: () => Promise<void>): Promise<Seen> {
  const watcher = new Worker(new URL("./watcher.ts", import.meta.url), { workerData: { pid, port } });
  const seen = new Promise<Seen>((resolve, reject) => {
    watcher.once("message", resolve);
    watcher.once("error", reject);
  });
  try {
    // It may fail before that has ended.
    await Promise.race([work(), seen]);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    watcher.postMessage("over");
    return await seen;
  } finally {
    await watcher.terminate();
  }
}

/** The value below which a part of sorted numbers lies. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
