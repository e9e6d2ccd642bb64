import { existsSync, readFileSync } from "node:fs";

const STATUS = "/proc/self/status";

/**
 * The peak resident memory of this process, in bytes. On Linux, that of the process itself (VmHWM): `maxRSS` of a new
 * process begins with the memory of the process that forked it.
 */
export function peakMemory(): number {
  const kibibytes = existsSync(STATUS)
    ? /^VmHWM:\s*(\d+) kB$/mu.exec(readFileSync(STATUS, "utf8"))?.[1]
    : process.resourceUsage().maxRSS;
  return Number(kibibytes) * 1024;
}
