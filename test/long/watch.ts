import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Line } from "../hostile/ask.ts";

/** What was seen of a server while it was watched. */
export interface Seen {
  /** The most memory that it held, in bytes. */
  readonly peak: number;
  /** How long `/healthz` took, in milliseconds, in order. */
  readonly healthz: readonly number[];
}

/** Watches a server process while `work` runs: its memory, and how quick `/healthz` is on a connection of its own. */
export async function watch(pid: number, port: number, work: () => Promise<void>): Promise<Seen> {
  const line = new Line(port, 1);
  const healthz: number[] = [];
  const stage = { over: false };
  let peak = 0;
  const looking = (async () => {
    while (!stage.over) {
      const started = performance.now();
      const { status } = await line.ask({ method: "GET", target: "/healthz", headers: {} });
      if (status !== 200) throw new Error(`/healthz: ${status}`);
      healthz.push(performance.now() - started);
      peak = Math.max(peak, residentOf(pid));
      await sleep(50);
    }
  })();
  try {
    await Promise.all([looking, work().finally(() => (stage.over = true))]);
  } finally {
    line.close();
  }
  return { peak, healthz: healthz.toSorted((a, b) => a - b) };
}

/** The memory that a process holds now, in bytes. */
export function residentOf(pid: number): number {
  const [, kibibytes = "0"] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}

/** The value below which a part of sorted numbers lies. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
