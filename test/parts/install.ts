/**
 * Installs what only tests need, where it is missing or not that of these very lock files: the root's devDependencies
 * (runner, checkers, types), and the heavy parts of this folder (PostgreSQL, Chromium, the official clients). Run by
 * npm before the tests, so that `npm ci && npm start` stays quick.
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

/** What was installed from what; taken away with node_modules. */
const markerIn = (folder: string): string => join(folder, "node_modules", ".installed-from");

/** The lock file's bytes, and the system, for the binaries differ. */
function originOf(folder: string): string {
  const lock = createHash("sha256").update(readFileSync(join(folder, "package-lock.json")));
  return `${lock.digest("hex")} ${process.platform}-${process.arch}\n`;
}

/** Whether everything that a folder's tests need is there. A plain `npm install` takes devDependencies away again. */
function isInstalled(folder: string): boolean {
  const marker = markerIn(folder);
  if (!existsSync(marker) || readFileSync(marker, "utf8") !== originOf(folder)) return false;
  const { devDependencies = {} }: { devDependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  return Object.keys(devDependencies).every((name) => existsSync(join(folder, "node_modules", name)));
}

/** Runs npm there, then `afterwards`. Throws where npm fails. */
async function install(folder: string, args: readonly string[], afterwards = async () => {}): Promise<void> {
  if (isInstalled(folder)) return;
  process.stderr.write(`Installing what only tests need, once, in ${folder}\n`);
  const status = await npm(folder, [...args, ...OPTIONS]);
  if (status !== 0) throw new Error(`npm ${args[0]} in ${folder} ended with status ${status}.`);
  await afterwards();
  // Last, so that whatever broke on the way is done again next time.
  writeFileSync(markerIn(folder), originOf(folder));
}

try {
  await Promise.all([
    // Beside what is there already, and what runs this: nothing is taken away, and the lock file is left as it is.
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
