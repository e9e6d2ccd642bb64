import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Size } from "../data/sizes.ts";
import { type Drawer, openDrawer } from "./draw.ts";
import { type Generator, startGenerator } from "./generator.ts";
import { serve } from "./rolebook.ts";
import type { Server } from "./server.ts";
import { makeWorld, type World } from "./world.ts";

/** What all measures of a run share. */
export interface Bench {
  readonly folder: string;
  /** The file for the output of servers. */
  readonly log: string;
  /** The generated organizations, smallest first. */
  readonly worlds: readonly [World, ...World[]];
  readonly generator: Generator;
  /** The number of measured rounds; a round before them only warms up. */
  readonly rounds: number;
  /** The number of pages per round. */
  readonly pages: number;
  /** The server of a world, without access log. It is started once and kept until the end. */
  readonly serverOf: (world: World) => Promise<Server>;
  readonly drawerOf: (world: World) => Promise<Drawer>;
  /** Writes lines to a file of the run. Returns its path. */
  readonly lines: (name: string, lines: readonly string[]) => string;
  readonly close: () => Promise<void>;
}

export interface Wanted {
  readonly folder: string;
  readonly sizes: readonly Size[];
  readonly seed: number;
  readonly rounds: number;
  readonly pages: number;
}

/** Makes the organizations, and what measures them. */
export async function openBench({ folder, sizes, seed, rounds, pages }: Wanted): Promise<Bench> {
  const [first, ...more] = sizes;
  if (first === undefined) throw new RangeError("--sizes names no size");
  const worlds: [World, ...World[]] = [await makeWorld(first, seed, folder)];
  for (const size of more) worlds.push(await makeWorld(size, seed, folder));
  const servers = new Map<World, Promise<Server>>();
  const drawers = new Map<World, Promise<Drawer>>();
  const log = join(folder, "serve.log");
  const generator = startGenerator();
  return {
    folder,
    log,
    worlds,
    generator,
    rounds,
    pages,
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
      const file = join(folder, name);
      writeFileSync(file, `${lines.join("\n")}\n`);
      return file;
    },
    async close() {
      for (const server of servers.values()) await (await server).stop();
      generator.stop();
    },
  };
}

/** The largest organization of the run, for which most goals are stated. */
export function largest({ worlds }: Pick<Bench, "worlds">): World {
  return worlds.at(-1) ?? worlds[0];
}
