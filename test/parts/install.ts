/**
 * Installs what only tests need, if it is missing or from other lock files: the devDependencies (runner, checkers,
 * types), and the large packages of this folder (PostgreSQL, Chromium, the official clients). npm runs this script
 * before the tests, so that `npm ci && npm start` stays fast.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findChromium } from "./chromium.ts";
import { npm } from "./npm.ts";
import { preparePostgres } from "./postgres.ts";

const PARTS = import.meta.dirname;
const ROOT = join(PARTS, "../..");
const OPTIONS = ["--ignore-scripts", "--no-audit", "--no-fund"];

/** The file that records from which lock file an installation is. It is deleted with node_modules. */
const markerIn = (folder: string): string => join(folder, "node_modules", ".installed-from");

/** The hash of the lock file, and the system, because binaries differ between systems. */
function originOf(folder: string): string {
  const lock = createHash("sha256").update(readFileSync(join(folder, "package-lock.json")));
  return `${lock.digest("hex")} ${process.platform}-${process.arch}\n`;
}

/** Whether everything that a folder's tests need is installed. A plain `npm install` removes devDependencies. */
function isInstalled(folder: string): boolean {
  const marker = markerIn(folder);
  if (!existsSync(marker) || readFileSync(marker, "utf8") !== originOf(folder)) return false;
  const { devDependencies = {} }: { devDependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  return Object.keys(devDependencies).every((name) => existsSync(join(folder, "node_modules", name)));
}

/** Runs npm in a folder, then `afterwards`. Throws if npm fails. */
async function install(folder: string, args: readonly string[], afterwards = async () => {}): Promise<void> {
  if (isInstalled(folder)) return;
  process.stderr.write(`Installing what only tests need, once, in ${folder}\n`);
  const status = await npm(folder, [...args, ...OPTIONS]);
  if (status !== 0) throw new Error(`npm ${args[0]} in ${folder} ended with status ${status}.`);
  await afterwards();
  // Written last, so that a failed installation is repeated the next time.
  writeFileSync(markerIn(folder), originOf(folder));
}

try {
  await Promise.all([
    // Adds to the current installation: removes nothing, and does not change the lock file.
    install(ROOT, ["install", "--no-save", "--include=dev"]),
    install(PARTS, ["ci", "--include=prod", "--include=optional"], async () => {
      preparePostgres();
      if (process.platform === "linux" && process.arch === "x64") await findChromium();
    }),
  ]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
