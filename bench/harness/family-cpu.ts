import { readdirSync, readFileSync } from "node:fs";

/** The unit of CPU time in /proc: the kernel's clock tick of 10 ms, in microseconds. */
const TICK = 10_000;

/**
 * The CPU time, user and system, of a process and of its current and former children, in microseconds. Works only on
 * Linux.
 */
export function familyCpu(pid: number): number {
  const children = new Map<number, number[]>();
  const times = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    const fields = statOf(name);
    if (fields === undefined) continue;
    const [parent = 0] = fields;
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    times.set(Number(name), fields);
  }
  let ticks = 0;
  const walk = (process: number): void => {
    // These are fields 14 to 17 of /proc/PID/stat: user and system time of the process, and of its ended children.
    for (const field of [10, 11, 12, 13]) ticks += times.get(process)?.[field] ?? 0;
    for (const child of children.get(process) ?? []) walk(child);
  };
  walk(pid);
  return ticks * TICK;
}

/** The fields of /proc/PID/stat after the name, which may contain any character. */
function statOf(pid: string): number[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text
      .slice(text.lastIndexOf(")") + 4)
      .split(" ")
      .map(Number);
  } catch {
    // The process has just ended.
    return undefined;
  }
}
