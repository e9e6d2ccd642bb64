import { existsSync, readFileSync } from "node:fs";

const STATUS = "/proc/self/status";

/**
 * The greatest resident memory of this process so far, in bytes. Where the kernel tells the peak of the address space
 * (Linux), that is used: `maxRSS` of a new process begins at the memory of the process that forked it.
 */
export function peakMemory(): number {
  const kibibytes = existsSync(STATUS)
    ? /^VmHWM:\s*(\d+) kB$/mu.exec(readFileSync(STATUS, "utf8"))?.[1]
    : process.resourceUsage().maxRSS;
  return Number(kibibytes) * 1024;
}
