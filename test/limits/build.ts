import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import build from "../setup/build.ts";
import { LIMITS } from "./limits.ts";

const DIST = join(import.meta.dirname, "../../dist");

/** Runs before all tests, and builds the program and a copy of it with small limits: only one module differs. */
export default function buildSmall(): void {
  build();
  const small = join(DIST, "small");
  rmSync(small, { recursive: true, force: true });
  cpSync(join(DIST, "program"), small, { recursive: true });
  const texts = globSync(`${small}/{sets,store}/**/*.js`).map((file) => readFileSync(file, "utf8"));
  for (const name of Object.keys(LIMITS)) {
    if (!texts.some((text) => text.includes(`limit("${name}"`)))
      throw new Error(`No limit is called ${name}.`);
  }
  writeFileSync(
    join(small, "sets/limit.js"),
    `const LIMITS = ${JSON.stringify(LIMITS)};\nexport const limit = (name, usual) => LIMITS[name] ?? usual;\n`,
  );
}
