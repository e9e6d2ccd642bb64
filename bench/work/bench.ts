import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Generator } from "../load/generator.ts";
import type { Timing } from "../figures/measure.ts";
import { serve } from "../server/rolebook.ts";
import type { Server } from "../server/server.ts";
import { type Drawer, openDrawer } from "./draw.ts";
import type { World } from "./world.ts";

/** The state that all goals of a run share. */
export interface Bench {
  readonly folder: string;
  /** The file for the output of servers. */
  readonly log: string;
  /** The generated organizations, smallest first. */
  readonly worlds: readonly World[];
  /** The world for which the goals are stated: the largest one. */
  readonly largest: World;
  readonly generator: Generator;
  readonly timing: Timing;
  /** The number of pages per round, where CPU is measured page by page. */
  readonly batch: number;
  readonly quick: boolean;
  /** The server of a world, without access log. It is started once and kept until the end. */
  readonly serverOf: (world: World) => Promise<Server>;
  readonly drawerOf: (world: World) => Drawer;
  /** Writes lines to a file of the run. Returns its path. */
  readonly lines: (name: string, lines: readonly string[]) => string;
  /** Prints progress. */
  readonly note: (text: string) => void;
  readonly close: () => Promise<void>;
}

/** Creates the shared state of a run over `worlds`. */
export function openBench(
  options: Pick<Bench, "folder" | "worlds" | "generator" | "timing" | "batch" | "quick" | "note">,
): Bench {
  const servers = new Map<World, Promise<Server>>();
  const drawers = new Map<World, Drawer>();
  const largest = options.worlds.at(-1);
  if (largest === undefined) throw new RangeError("no size was asked for");
  const log = join(options.folder, "serve.log");
  return {
    ...options,
    log,
    largest,
    serverOf(world) {
      const server = servers.get(world) ?? serve(world, { log });
      servers.set(world, server);
      return server;
    },
    drawerOf(world) {
      const drawer = drawers.get(world) ?? openDrawer(world);
      drawers.set(world, drawer);
      return drawer;
    },
    lines(name, lines) {
      const file = join(options.folder, name);
      writeFileSync(file, `${lines.join("\n")}\n`);
      return file;
    },
    async close() {
      for (const drawer of drawers.values()) drawer.close();
      for (const server of servers.values()) await (await server).stop();
    },
  };
}
