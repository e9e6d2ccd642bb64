/** Preloaded into a command with `--import`. When the command ends, writes its cost to the file `BENCH_PEAK`. */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { peakMemory } from "../../test/peak-memory.ts";

/** The cost of a process from its start to its end. */
export interface Peak {
  /** The highest resident memory, in bytes. */
  readonly peakRss: number;
  /** The CPU of all threads, user and system, in seconds. */
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
