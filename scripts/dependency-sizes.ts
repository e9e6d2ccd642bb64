/**
 * Measures the packages that docs/dependencies.md lists with their sizes on disk; `--write` updates the page. Packages for other
 * systems are not installed here and keep their figures.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../docs/dependencies.md", import.meta.url));
const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Bytes of a package alone, and with its dependencies. */
export interface Size {
  readonly own: number;
  readonly all: number;
}

/** The size of an installed package; `undefined` if it is not installed. */
export function sizeOf(name: string): Size | undefined {
  const folder = join(ROOT, "node_modules", name);
  if (!existsSync(join(folder, "package.json"))) return undefined;
  const found = new Map<string, number>();
  collect(folder, ROOT, found);
  const own = [...found.values()][0] ?? 0;
  return { own, all: [...found.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

/** Adds a package and all its dependencies once each, in Node's lookup order. */
function collect(path: string, root: string, found: Map<string, number>): void {
  if (found.has(path)) return;
  found.set(path, bytesIn(path));
  const manifest: { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> } =
    JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const inner = join(path, "node_modules", name);
    const outer = join(root, "node_modules", name);
    const at = [inner, outer].find((each) => existsSync(join(each, "package.json")));
    if (at !== undefined) collect(at, root, found);
  }
}

/** The bytes of a package's own files. */
function bytesIn(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += entry.name === "node_modules" ? 0 : bytesIn(path);
    else if (entry.isFile()) bytes += statSync(path).size;
  }
  return bytes;
}

/** A size as in the page, in megabytes of 1,000,000 bytes. */
export function sizeText({ own, all }: Size): string {
  return own === all ? megabytes(own) : `${megabytes(own)}, ${megabytes(all)} with what it brings`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`;
}

/** The page with the sizes of all installed packages. */
export function measured(page: string): string {
  return page.replaceAll(/^\| `([^`]+)` \|([^|\n]*)\|[^|\n]*\|/gm, (row, name: string, use: string) => {
    const size = sizeOf(name);
    return size === undefined ? row : `| \`${name}\` |${use}| ${sizeText(size)} |`;
  });
}

if (import.meta.main) {
  const page = measured(readFileSync(PAGE, "utf8"));
  if (process.argv.includes("--write")) writeFileSync(PAGE, page);
  else process.stdout.write(page);
}
