/** A native profile of a server, by `perf` of Linux. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Layer, layerOf } from "./layer.ts";

/** What a server needs to be told so that `perf` can name its functions, whichever compiler made them. */
export const NATIVE_FLAGS = ["--perf-basic-prof", "--interpreted-frames-native-stack", "--logfile=/dev/null"];

const HERTZ = 2999;

/** Whether this machine has `perf`, and it may look. */
export const hasPerf = (): boolean =>
  spawnSync("perf", ["record", "-o", "/dev/null", "--", "true"], { stdio: "ignore" }).status === 0;

/** Begins to record a process; what is returned ends it. */
export function record(pid: number, file: string): () => Promise<void> {
  const child = spawn("perf", ["record", "-F", String(HERTZ), "-g", "-p", String(pid), "-o", file], {
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  return async () => {
    child.kill("SIGINT");
    await ended;
  };
}

/** Samples by layer of what was recorded of a process: of its main thread. */
export async function nativeSamples(pid: number, file: string): Promise<Map<Layer, number>> {
  const child = spawn("perf", ["script", "-i", file, "--tid", String(pid), "-F", "ip,sym", "--no-inline"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const samples = new Map<Layer, number>();
  let stack: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    const frame = line.trim();
    if (frame !== "") {
      stack.push(frame);
      continue;
    }
    if (stack.length === 0) continue;
    const layer = layerOf(stack);
    samples.set(layer, (samples.get(layer) ?? 0) + 1);
    stack = [];
  }
  return samples;
}

/** Removes the names of functions that `--perf-basic-prof` left. */
export function forgetNames(pid: number): void {
  rmSync(`/tmp/perf-${pid}.map`, { force: true });
}
