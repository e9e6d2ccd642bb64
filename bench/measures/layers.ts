/** Where the CPU of a page never asked for goes: a JavaScript profile of each endpoint under load. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bench, largest } from "../harness/bench.ts";
import { costs } from "../harness/cost.ts";
import { type Layer, layerOf, LAYERS } from "../harness/layer.ts";
import type { Put } from "../harness/result.ts";
import { serve } from "../harness/rolebook.ts";
import { spread } from "../harness/spread.ts";
import { ENDPOINTS, nameOf } from "../harness/url.ts";

/** The CPU per page, measured without a profile, is divided among the layers in proportion to their samples. */
export async function layers(bench: Bench, put: Put): Promise<void> {
  const world = largest(bench);
  const drawer = bench.drawerOf(world);
  const file = join(bench.folder, "layers.cpuprofile");
  const profiler = new URL("../harness/profiler.ts", import.meta.url).href;
  const server = await serve(world, {
    flags: ["--import", profiler],
    env: { BENCH_PROFILE: file },
    log: bench.log,
  });
  try {
    for (const endpoint of ENDPOINTS) {
      const draw = drawer.anywhere(endpoint);
      const side = { server, token: world.token, next: () => drawer.fresh(draw, bench.pages) };
      const [cost] = await costs(bench, [side]);
      const whole = spread(cost?.main ?? []).median;
      rmSync(file, { force: true });
      process.kill(server.pid, "SIGUSR2");
      await costs(bench, [side]);
      process.kill(server.pid, "SIGUSR2");
      while (!existsSync(file)) await sleep(20);
      const samples = samplesIn(file);
      const all = samples.values().reduce((sum, each) => sum + each, 0);
      for (const layer of LAYERS) {
        put(world.size, nameOf(endpoint), layer, ((samples.get(layer) ?? 0) / all) * whole);
      }
    }
  } finally {
    await server.stop();
  }
}

/** The used part of a `.cpuprofile` file. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly children?: readonly number[];
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  readonly samples: readonly number[];
}

/** The number of samples in each layer, without those of the idle event loop. */
function samplesIn(file: string): Map<Layer, number> {
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
