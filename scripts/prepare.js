// Builds the explorer's page into dist/explorer after `npm ci`. Plain JavaScript, so that any Node can read it: where
// the packages that build were left out (npm ci --omit=dev), there is nothing to do; the server says so when it starts.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vite = join(root, "node_modules/vite/bin/vite.js");
// Packing builds everything, in its own order: see build.ts.
const packing = ["pack", "publish"].includes(process.env.npm_command ?? "");

if (!packing && existsSync(vite) && existsSync(join(root, "src/explorer/page/index.html"))) {
  const { status } = spawnSync(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: root,
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}
