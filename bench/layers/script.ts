/** Profiles a server with V8's JavaScript profiler, which `profiler.ts` controls in that server. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Layer, layerOf } from "./layer.ts";

/** The used part of a `.cpuprofile` file. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly children?: readonly number[];
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
}

/** The Node flags and environment of a server that is profiled into `file`. */
export function profiledInto(file: string): { flags: string[]; env: Record<string, string> } {
  return { flags: ["--import", new URL("profiler.ts", import.meta.url).href], env: { BENCH_PROFILE: file } };
}

/** Begins to profile a server that was started with {@link profiledInto}. The returned function ends the profile. */
export function profile(pid: number, file: string): () => Promise<void> {
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  return async () => {
    process.kill(pid, "SIGUSR2");
    while (!existsSync(file)) await sleep(20);
  };
}

/** The number of samples in each layer, without samples of the idle event loop. */
export function scriptSamples(file: string): Map<Layer, number> {
  const { nodes, samples }: Profile = JSON.parse(readFileSync(file, "utf8"));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const layers = new Map<number, Layer>();
  for (const { id, callFrame } of nodes) {
    if (callFrame.functionName === "(idle)") continue;
    const stack: string[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      if (frame !== undefined) stack.push(`${frame.functionName} ${frame.url}`);
    }
    layers.set(id, layerOf(stack));
  }
  const found = new Map<Layer, number>();
  for (const id of samples) {
    const layer = layers.get(id);
    if (layer !== undefined) found.set(layer, (found.get(layer) ?? 0) + 1);
  }
  return found;
}
