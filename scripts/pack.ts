/**
 * Makes the package, rolebook-VERSION.tgz, in this folder or in the one that is given. What is packed is put together in
 * dist/package: the built program and page, documents, examples, a manifest without what only a checkout needs, and
 * npm-shrinkwrap.json, the part of package-lock.json that the program needs. So `npm ci` in the unpacked package, and an
 * installation from a registry, get the packages that were tested.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import manifestOfCheckout from "../package.json" with { type: "json" };
import "./build.js";
import { type Lock, running } from "./running.ts";

/** What users of the package get, beside the manifest and the shrinkwrap. */
const PACKED = [
  "bin",
  "dist/explorer",
  "dist/program",
  "docs",
  "examples",
  "CHANGELOG.md",
  "LICENSE",
  "NOTICES.md",
  "README.md",
  "SECURITY.md",
];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stage = join(root, "dist/package");
const destination = resolve(process.argv[2] ?? root);

rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
for (const name of PACKED) cpSync(join(root, name), join(stage, name), { recursive: true });
const manifest = forUsers();
writeJson("package.json", manifest);
writeJson("npm-shrinkwrap.json", shrinkwrap());

const npm = process.env["npm_execpath"] ?? "";
const [command, before] = npm.endsWith("npm-cli.js") ? [process.execPath, [npm]] : ["npm", []];
const packed = spawnSync(
  command,
  [...before, "pack", stage, "--pack-destination", destination, "--loglevel=warn"],
  {
    stdio: ["ignore", "inherit", "inherit"],
    shell: command === "npm" && process.platform === "win32",
  },
);
process.exitCode = packed.status ?? 1;

/** The manifest without what builds, tests and other folders need. */
function forUsers() {
  const { workspaces: _page, scripts: _made, devDependencies: _built, ...kept } = manifestOfCheckout;
  return kept;
}

/** The packages that run, as the lock has them. */
function shrinkwrap() {
  const { name, version, license, dependencies, bin, engines, optionalDependencies } = manifest;
  const lock: Lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const program = { name, version, license, dependencies, bin, engines, optionalDependencies };
  return {
    name,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: running(lock, program),
  };
}

function writeJson(name: string, value: object): void {
  writeFileSync(join(stage, name), `${JSON.stringify(value, undefined, 2)}\n`);
}
