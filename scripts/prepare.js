// Builds the explorer's page and the program into dist/ after `npm ci` and before packing. Plain JavaScript, so that
// any Node can read it: where the packages that build were left out (npm ci --omit=dev), there is nothing to do; the
// program runs from its sources then, and the server says that it has no page.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vite = join(root, "node_modules/vite/bin/vite.js");
// A package without what is built would be none.
const packing = ["pack", "publish"].includes(process.env.npm_command ?? "");

if (packing || (existsSync(vite) && existsSync(join(root, "src/explorer/page/index.html")))) {
  build("vite.config.ts");
  build("vite.program.config.ts");
}

function build(config) {
  const { status } = spawnSync(process.execPath, [vite, "build", "--config", config, "--logLevel", "warn"], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
