/**
 * Installs the heavy parts that only tests need, when they are missing or not those of this very lock file.
 * Run by `npm test` before the tests, so that `npm ci && npm start` stays quick.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findChromium } from "./chromium.ts";
import { npm } from "./npm.ts";
import { preparePostgres } from "./postgres.ts";

const folder = import.meta.dirname;
const marker = join(folder, "node_modules", ".installed-from");

/** What node_modules was installed from: the lock file's bytes, and the system, for the binaries differ. */
function wanted(): string {
  const lock = createHash("sha256").update(readFileSync(join(folder, "package-lock.json")));
  return `${lock.digest("hex")} ${process.platform}-${process.arch}\n`;
}

async function install(): Promise<number> {
  const origin = wanted();
  if (existsSync(marker) && readFileSync(marker, "utf8") === origin) return 0;
  process.stderr.write(
    "Downloading what only the tests need, once (about 130 MB): PostgreSQL, Chromium and fonts, the official clients, an OpenAPI linter.\n",
  );
  const options = ["--ignore-scripts", "--include=prod", "--include=optional", "--no-audit", "--no-fund"];
  const status = await npm(folder, ["ci", ...options]);
  if (status !== 0) return status;
  preparePostgres();
  if (process.platform === "linux" && process.arch === "x64") await findChromium();
  // Last, so that whatever broke on the way is done again next time.
  writeFileSync(marker, origin);
  return 0;
}

try {
  process.exitCode = await install();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
