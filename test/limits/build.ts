import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import build from "../setup/build.ts";
import { QUICK, SMALL } from "./limits.ts";

const DIST = join(import.meta.dirname, "../../dist");

/** Runs before all tests, and builds the program and copies of it with other limits: only one module differs. */
export default function buildCopies(): void {
  build();
  const texts = globSync(`${DIST}/program/store/**/*.js`).map((file) => readFileSync(file, "utf8"));
  for (const [name, limits] of Object.entries({ small: SMALL, quick: QUICK })) {
    const copy = join(DIST, name);
    rmSync(copy, { recursive: true, force: true });
    cpSync(join(DIST, "program"), copy, { recursive: true });
    for (const limit of Object.keys(limits)) {
      if (!texts.some((text) => text.includes(`limit("${limit}"`)))
        throw new Error(`No limit is called ${limit}.`);
    }
    writeFileSync(
      join(copy, "store/limit.js"),
      `const LIMITS = ${JSON.stringify(limits)};\nexport const limit = (name, usual) => LIMITS[name] ?? usual;\n`,
    );
  }
}
