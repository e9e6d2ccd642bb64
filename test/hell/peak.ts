/**
 * Loaded before the program: writes its peak memory in bytes to the file PEAK_LOG. Where the kernel tells the peak of
 * the address space (Linux), that is used: `maxRSS` of a new process begins at the memory of the process that forked it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const log = process.env.PEAK_LOG ?? "";
const STATUS = "/proc/self/status";

function peak(): number {
  const kibibytes = existsSync(STATUS)
    ? /^VmHWM:\s*(\d+) kB$/mu.exec(readFileSync(STATUS, "utf8"))?.[1]
    : process.resourceUsage().maxRSS;
  return Number(kibibytes) * 1024;
}

process.on("exit", () => writeFileSync(log, String(peak())));
