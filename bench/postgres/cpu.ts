import { readdirSync, readFileSync } from "node:fs";

/** The kernel's clock tick of 10 ms, in microseconds: the unit of CPU time in /proc. */
const TICK = 10_000;

/**
 * CPU time, user and system, of a process and its current and former children, in microseconds. Throws except on Linux.
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
    // Fields 14 to 17 of /proc/PID/stat, counted from the parent's: own user and system, those of ended children.
    for (const field of [10, 11, 12, 13]) ticks += times.get(process)?.[field] ?? 0;
    for (const child of children.get(process) ?? []) walk(child);
  };
  walk(pid);
  return ticks * TICK;
}

/** The fields of /proc/PID/stat from the parent's on; the name before them may contain any character. */
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
