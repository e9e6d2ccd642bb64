/** Writes what documents repeat of the program: tables, JSON Schemas, examples. `test/docs/generated.test.ts` holds them to it. */
import { writeFileSync } from "node:fs";
import { generated } from "../test/docs/generated.ts";

for (const [file, text] of Object.entries(await generated())) {
  writeFileSync(new URL(`../${file}`, import.meta.url), text);
}
