import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { npm } from "../parts/npm.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** The files that are packed. A copy of them is packed, so that packing does not change the tested tree. */
const TAKEN = [
  "bin",
  "docs",
  "examples",
  "scripts",
  "src",
  "CHANGELOG.md",
  "LICENSE",
  "NOTICES.md",
  "README.md",
  "SECURITY.md",
  "package-lock.json",
  "package.json",
  "tsconfig.json",
  "vite.config.ts",
];
const QUIET = ["--loglevel=error", "--no-audit", "--no-fund"];

/** Rolebook installed from the tarball outside this tree. */
export interface Installed {
  /** The unpacked package. */
  readonly folder: string;
  dispose(): void;
}

/** Copies the checkout and its installed packages to the new folder `tree`. Returns the folder. */
function copyTree(tree: string): string {
  mkdirSync(tree);
  for (const name of TAKEN) cpSync(join(root, name), join(tree, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  return tree;
}

/** Packs a copy of this tree into a folder. Returns the path of the tarball. Throws if npm fails. */
export async function pack(place: string): Promise<string> {
  const tree = copyTree(join(place, "tree"));
  await run(tree, "run", "package", "--", place);
  rmSync(tree, { recursive: true });
  const tarball = readdirSync(place).find((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm run package made no tarball.");
  return join(place, tarball);
}

/** Packs a copy of this tree, and installs the tarball. Throws if npm fails. */
export async function packAndInstall(): Promise<Installed> {
  const place = mkdtempSync(join(tmpdir(), "rolebook-package-"));
  try {
    const tarball = await pack(place);
    const folder = join(place, "installed");
    mkdirSync(folder);
    execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "--no-same-owner", "-C", folder]);
    // Packages that `npm ci` downloaded come from npm's cache, the others from the registry.
    await run(folder, "ci", "--ignore-scripts", "--prefer-offline");
    return { folder, dispose: () => rmSync(place, { recursive: true, force: true }) };
  } catch (error) {
    rmSync(place, { recursive: true, force: true });
    throw error;
  }
}

async function run(folder: string, ...args: string[]): Promise<void> {
  const status = await npm(folder, [...args, ...QUIET]);
  if (status !== 0) throw new Error(`npm ${args[0]} ended with status ${status}.`);
}
