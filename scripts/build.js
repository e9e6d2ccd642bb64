// Builds dist/: the program (`program/`, the sources without their types) and the explorer's page
// (`explorer/`). Run by npm after an install and before packing, and before every start, test and benchmark of a
// checkout. Plain JavaScript, so that a Node that is too old can report it.
import { spawnSync } from "node:child_process";
import fs, {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const WANTED = 26;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, "dist/program");
const page = join(root, "dist/explorer/index.html");

if (Number.parseInt(process.versions.node, 10) < WANTED) {
  console.error(
    `Rolebook is built with the Node ${WANTED} that it runs on, and this is ${process.version}; the package that ` +
      `brings it was not installed. Install again without --omit=optional, or use a newer Node.`,
  );
  process.exit(1);
}
buildProgram();
if (!pageIsNew()) buildPage();

/** Writes each source as JavaScript without types, with the same lines and columns. */
function buildProgram() {
  // Node calls type stripping experimental. The Node is pinned, and every test runs the result.
  process.removeAllListeners("warning");
  const sources = fs.globSync("**/*.{ts,json}", {
    cwd: join(root, "src"),
    exclude: (name) => name === join("explorer", "page"),
  });
  const built = new Set();
  for (const name of sources) {
    const text = readFileSync(join(root, "src", name), "utf8");
    const target = join(program, name.replace(/\.ts$/, ".js"));
    put(target, name.endsWith(".ts") ? withoutTypes(text) : text);
    built.add(target);
  }
  for (const entry of fs.globSync("**", { cwd: program, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !built.has(path)) rmSync(path);
  }
}

function withoutTypes(text) {
  return nodeModule
    .stripTypeScriptTypes(text)
    .replaceAll(/(?<=\b(?:from|import)[\s(]*")(\.{1,2}\/[^"\n]+)\.ts(?=")/g, "$1.js");
}

/** Writes a file if it differs, atomically, because another process may be loading it. */
function put(path, text) {
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

/** Whether the page is newer than all of its sources. */
function pageIsNew() {
  if (!existsSync(page)) return false;
  const sources = fs.globSync(["src/{explorer,domain}/**", "vite.config.ts", "package-lock.json"], {
    cwd: root,
  });
  const newest = Math.max(...sources.map((name) => statSync(join(root, name)).mtimeMs));
  return statSync(page).mtimeMs > newest;
}

function buildPage() {
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const { status } = spawnSync(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: root,
    stdio: "inherit",
    // vitest sets "test", which would build the larger development page.
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (status !== 0) process.exit(status ?? 1);
}
