/**
 * Measures the explorer.
 *
 *     node bench/explorer.ts [--size L] [--seed 1] [--folder DIR] [--write]
 *                            [--only search,counts,filters,differences,files,rows,past]
 *
 * Prints a line per figure. `--write` also writes the figures into docs/explorer.md. bench/README.md says how to read
 * them.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ORGANIZATION } from "./data/identity.ts";
import { parseSize } from "./data/sizes.ts";
import { counts } from "./explorer/counts.ts";
import { differences } from "./explorer/differences.ts";
import { files } from "./explorer/files.ts";
import { filters } from "./explorer/filters.ts";
import { past } from "./explorer/past.ts";
import { rows } from "./explorer/rows.ts";
import { writeTimes } from "./explorer/document.ts";
import { search } from "./explorer/search.ts";
import { rolebook, serve } from "./server/rolebook.ts";
import type { Server } from "./server/server.ts";
import { makeWorld } from "./work/world.ts";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "L" },
    seed: { type: "string", default: "1" },
    folder: { type: "string" },
    only: { type: "string", default: "rows,filters,search,counts,differences,files,past" },
    write: { type: "boolean", default: false },
  },
});

const folder = values.folder ?? mkdtempSync(join(tmpdir(), "bench-explorer-"));
mkdirSync(folder, { recursive: true });
try {
  const world = await makeWorld(parseSize(values.size), Number(values.seed), folder);
  const token = (member: string) =>
    rolebook(
      "token",
      "create",
      "--database",
      `sqlite:${world.path}`,
      "--organization",
      ORGANIZATION,
      "--member",
      member,
    );
  const { marks } = world;
  const tokens = {
    "one who sees everything": world.token,
    "a member": await token(marks.ordinaryMember),
    "a member with many direct permissions": await token(marks.heavyMember),
    "a guest with three spaces": await token(marks.guest),
  };
  const measures: Record<string, (server: Server) => Promise<string[]>> = {
    rows: (server) => rows(world, server),
    search: (server) => search(world, server, tokens),
    counts: (server) => counts(world, server),
    filters: (server) => filters(world, server),
    differences: (server) => differences(world, server),
    files: (server) => files(world, server),
    // Must be last, because it changes the database.
    past: (server) => past(world, server),
  };
  const wanted = values.only.split(",");
  const told: string[] = [];
  for (const [name, measure] of Object.entries(measures)) {
    if (!wanted.includes(name)) continue;
    // A new server has empty caches.
    const server = await serve(world);
    try {
      const lines = await measure(server);
      for (const line of lines) process.stdout.write(`${line}\n`);
      told.push(...lines);
    } finally {
      await server.stop();
    }
  }
  if (values.write) writeTimes(world.size, told, loadavg()[2] ?? 0);
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
