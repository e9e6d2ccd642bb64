/** Writes the tables, JSON Schemas and examples that documents repeat. `test/docs/generated.test.ts` checks them. */
import { writeFileSync } from "node:fs";
import { generated } from "../test/docs/generated.ts";

for (const [file, text] of Object.entries(await generated())) {
  writeFileSync(new URL(`../${file}`, import.meta.url), text);
}
