/** Builds what the package runs into `dist/`: the explorer's page, then JavaScript from `src/`. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

// What a renamed source has left must not be packed.
rmSync(`${root}dist`, { recursive: true, force: true });
// The page first: its build empties dist/explorer, where the server's part of the explorer goes too.
run("vite/bin/vite.js", "build", "--logLevel", "warn");
run("typescript/bin/tsc", "--project", "tsconfig.build.json");

function run(program: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [`${root}node_modules/${program}`, ...args], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
