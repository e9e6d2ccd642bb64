import { readFileSync } from "node:fs";

/** The memory that a process holds now, in bytes. */
export function residentOf(pid: number): number {
  const [, kibibytes = "0"] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) * 1024;
}
