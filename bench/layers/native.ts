/** Profiles a server natively, with Linux `perf`. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type Layer, layerOf } from "./layer.ts";
import { compiledNames } from "./names.ts";

/** The Node flags with which `perf` can name functions, whichever of V8's compilers made them. */
export const NATIVE_FLAGS = ["--perf-basic-prof", "--interpreted-frames-native-stack", "--logfile=/dev/null"];

const HERTZ = 2999;

/** Whether `perf` is installed and permitted. */
export const hasPerf = (): boolean =>
  spawnSync("perf", ["record", "-o", "/dev/null", "--", "true"], { stdio: "ignore" }).status === 0;

/** Begins to record a process. The returned function ends the recording. */
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

/** The number of recorded samples of the main thread in each layer. */
export async function nativeSamples(pid: number, file: string): Promise<Map<Layer, number>> {
  const child = spawn("perf", ["script", "-i", file, "--tid", String(pid), "-F", "ip,sym", "--no-inline"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const samples = new Map<Layer, number>();
  const compiled = compiledNames(pid);
  let stack: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    const frame = line.trim();
    if (frame !== "") {
      stack.push(compiled(Number.parseInt(frame, 16)) ?? frame);
      continue;
    }
    if (stack.length === 0) continue;
    const layer = layerOf(stack);
    samples.set(layer, (samples.get(layer) ?? 0) + 1);
    stack = [];
  }
  return samples;
}
