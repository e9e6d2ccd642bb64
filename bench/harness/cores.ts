import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** The server and the load generator are each pinned to one core. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

const pins = availableParallelism() > 1 && spawnSync("taskset", ["--version"]).status === 0;

/** The command that runs `command` on a core; `command` itself if processes cannot be pinned. */
export function onCore(core: number, command: readonly string[]): string[] {
  return pins ? ["taskset", "--cpu-list", String(core), ...command] : [...command];
}
