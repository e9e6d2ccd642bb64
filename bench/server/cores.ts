import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** The server and the load generator are each pinned to one core. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

const pins = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;

/** Whether processes can be pinned: the machine has at least two cores, and `taskset`. */
export const pinned = (): boolean => pins;

/** The command that runs `command` on a core; `command` itself if processes cannot be pinned. */
export function onCore(core: number, command: readonly string[]): string[] {
  return pins ? ["taskset", "--cpu-list", String(core), ...command] : [...command];
}

/** Moves a running process with all its threads to a core. */
export function moveTo(core: number, pid: number): void {
  if (pins) spawnSync("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)]);
}
