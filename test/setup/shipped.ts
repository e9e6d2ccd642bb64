import { dirname, join, relative, resolve } from "node:path";
import type { Plugin } from "vitest/config";

const ROOT = join(import.meta.dirname, "../..");

/**
 * Maps imports of `src/` to `dist/program/`, which Node loads as it loads the installed program: tests are type-checked
 * against the sources, but run the built program. `program` names another folder of `dist/`.
 */
export function shipped(program = "program"): Plugin {
  return {
    name: "shipped",
    enforce: "pre",
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith(".") || !source.endsWith(".ts")) return undefined;
      const name = relative(join(ROOT, "src"), resolve(dirname(importer), source));
      // Code for the browser is no part of the program; Vite builds it.
      if (name.startsWith("..") || name.startsWith("explorer/page/")) return undefined;
      return { id: join(ROOT, "dist", program, name.replace(/\.ts$/, ".js")), external: true };
    },
  };
}
