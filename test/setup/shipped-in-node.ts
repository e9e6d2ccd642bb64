/** `node --import test/setup/shipped-in-node.ts FILE.ts` runs a module of the tests with the built program, as vitest does. */
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = pathToFileURL(join(import.meta.dirname, "../..")).href;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (!resolved.url.startsWith(`${ROOT}/src/`)) return resolved;
    const url = resolved.url.replace(`${ROOT}/src/`, `${ROOT}/dist/program/`).replace(/\.ts$/, ".js");
    return { ...resolved, url, format: "module" };
  },
});
