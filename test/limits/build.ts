import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import build from "../setup/build.ts";
import { LIMITS } from "./limits.ts";

const DIST = join(import.meta.dirname, "../../dist");

/** Runs before all tests, and builds the program and a copy of it with small limits. */
export default function buildSmall(): void {
  build();
  const small = join(DIST, "small");
  rmSync(small, { recursive: true, force: true });
  cpSync(join(DIST, "program"), small, { recursive: true });
  for (const [name, limits] of Object.entries(LIMITS)) {
    for (const [limit, value] of Object.entries(limits)) {
      put(
        join(small, `${name}.js`),
        new RegExp(`^((?:export )?const ${limit} = )[^;]+;`, "m"),
        `$1${value};`,
      );
    }
  }
  put(join(small, "sets/words.js"), /SLOTS \/ 32/, "Math.ceil(SLOTS / 32)");
}

function put(file: string, pattern: RegExp, text: string): void {
  const before = readFileSync(file, "utf8");
  if (!pattern.test(before)) throw new Error(`${file} has no ${pattern}; test/limits/limits.ts names it.`);
  writeFileSync(file, before.replace(pattern, text));
}
