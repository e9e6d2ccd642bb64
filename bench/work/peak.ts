/** Preloaded into a command with `--import`: writes its cost to the file `BENCH_PEAK` when it ends. */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { peakMemory } from "../../test/hell/peak-memory.ts";

/** The cost of a process from its start to its end. */
export interface Peak {
  /** Resident memory at its highest, bytes. */
  readonly peakRss: number;
  /** CPU of all threads, user and system, seconds. */
  readonly cpuSeconds: number;
}

const file = process.env["BENCH_PEAK"];
if (isMainThread && file !== undefined) {
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const peak: Peak = { peakRss: peakMemory(), cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
    writeFileSync(file, JSON.stringify(peak));
  });
}
