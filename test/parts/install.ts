/**
 * Installs the large packages of this folder, if they are missing or from another lock file: PostgreSQL, Chromium and
 * the official clients. They are not among the devDependencies, so that `npm ci && npm start` stays fast.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findChromium } from "./chromium.ts";
import { npm } from "./npm.ts";
import { preparePostgres } from "./postgres.ts";

const PARTS = import.meta.dirname;
/** Records from which lock file, and for which system, the packages are. It is deleted with node_modules. */
const MARKER = join(PARTS, "node_modules", ".installed-from");
const LOCK = createHash("sha256").update(readFileSync(join(PARTS, "package-lock.json")));
const ORIGIN = `${LOCK.digest("hex")} ${process.platform}-${process.arch}\n`;

if (!existsSync(MARKER) || readFileSync(MARKER, "utf8") !== ORIGIN) await install();

async function install(): Promise<void> {
  process.stderr.write(`Installing what only tests need, once, in ${PARTS}\n`);
  const wanted = ["--include=prod", "--include=optional"];
  const status = await npm(PARTS, ["ci", ...wanted, "--ignore-scripts", "--no-audit", "--no-fund"]);
  if (status !== 0) {
    process.stderr.write(`npm ci in ${PARTS} ended with status ${status}.\n`);
    process.exit(1);
  }
  preparePostgres();
  if (process.platform === "linux" && process.arch === "x64") await findChromium();
  // Written last, so that a failed installation is repeated the next time.
  writeFileSync(MARKER, ORIGIN);
}
