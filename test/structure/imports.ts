import { dirname, join } from "node:path/posix";

/** The allowed imports, by path prefix of the importing file. The first prefix that matches counts. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "domain/": ["domain/"],
  "model/": ["model/", "domain/"],
  "store/": ["store/", "model/", "domain/"],
  "snapshot/": ["snapshot/", "store/", "model/", "domain/"],
  "review/": ["review/", "operations/", "store/", "model/", "domain/"],
  "connectors/": ["connectors/", "snapshot/", "domain/"],
  "operations/": ["operations/", "store/", "model/", "domain/"],
  "explorer/page/": ["explorer/page/", "explorer/wire/", "domain/"],
  "explorer/wire/": ["explorer/wire/", "domain/"],
  "explorer/": ["explorer/", "operations/", "review/", "store/", "model/", "domain/"],
  "http/": ["http/", "explorer/", "operations/", "snapshot/", "store/", "model/", "domain/"],
  "cli/": [
    "cli/",
    "http/",
    "explorer/server/",
    "explorer/wire/",
    "connectors/",
    "review/",
    "snapshot/",
    "operations/",
    "store/",
    "model/",
    "domain/",
  ],
};

/** Packages and modules of Node that only some folders may import. */
export const KNOWN_TO: Readonly<Record<string, readonly string[]>> = {
  "node:sqlite": ["store/engine/sqlite/"],
  pg: ["store/engine/postgres/"],
  "pg-copy-streams": ["store/engine/postgres/"],
  fastify: ["http/", "explorer/", "cli/"],
  "prom-client": ["http/metrics"],
  commander: ["cli/"],
  "openid-client": ["http/sign-in/provider.ts"],
  pino: ["cli/"],
  preact: ["explorer/page/"],
  yaml: ["review/read-rules.ts"],
};

/** The text of each file, by its path below src/. */
export type Sources = Readonly<Record<string, string>>;

/** The forbidden imports in the sources, as `file imports target`. */
export function wrongImports(sources: Sources): string[] {
  return Object.entries(sources).flatMap(([file, text]) =>
    importsOf(text)
      .filter((specifier) => !isAllowed(file, specifier))
      .map((specifier) => `${file} imports ${specifier}`),
  );
}

/** The files that are in an import cycle, or between two cycles. Imports of types count. */
export function circularImports(sources: Sources): string[] {
  const imports = new Map(
    Object.entries(sources).map(([file, text]) => [
      file,
      importsOf(text).map((specifier) => join(dirname(file), specifier)),
    ]),
  );
  for (let before = Infinity; imports.size < before;) {
    before = imports.size;
    const imported = new Set([...imports.values()].flat());
    for (const [file, targets] of imports) {
      if (!imported.has(file) || !targets.some((target) => imports.has(target))) imports.delete(file);
    }
  }
  return [...imports.keys()].sort();
}

function isAllowed(file: string, specifier: string): boolean {
  if (!specifier.startsWith(".")) return isKnown(file, specifier);
  const target = join(dirname(file), specifier);
  if (target === "../package.json") return true;
  const [, allowed] = Object.entries(MAY_IMPORT).find(([part]) => file.startsWith(part)) ?? [];
  if (allowed === undefined || !allowed.some((part) => target.startsWith(part))) return false;
  // Only open.ts imports engines, and only the page imports code for the browser.
  if (target.startsWith("explorer/page/")) return file.startsWith("explorer/page/");
  return !/^store\/engine\/[^/]+\//.test(target) || mayKnowEngine(file, target);
}

/** Only an engine's own folder and the file that opens databases may import it. */
function mayKnowEngine(file: string, target: string): boolean {
  return file === "store/engine/open.ts" || dirname(file).startsWith(target.split("/").slice(0, 3).join("/"));
}

function isKnown(file: string, specifier: string): boolean {
  if (file.startsWith("domain/")) return false;
  const [, parts] =
    Object.entries(KNOWN_TO).find(([name]) => specifier === name || specifier.startsWith(`${name}/`)) ?? [];
  return parts === undefined || parts.some((part) => file.startsWith(part));
}

/** The specifiers of a source's imports, re-exports and dynamic imports. */
export function importsOf(text: string): string[] {
  const statements = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^"'`;]*?from\s*"([^"]+)"|(?:^|\n)import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/g,
  );
  return [...statements].map(([, from, bare, loaded]) => from ?? bare ?? loaded ?? "");
}
