/** Writes the tables, JSON Schemas and examples that documents repeat. `test/docs/generated.test.ts` checks them. */
import { writeFileSync } from "node:fs";
import { generated } from "../test/docs/generated.ts";
import { indexOfTests } from "../test/structure/index-of-tests.ts";

const all = { ...(await generated()), "test/index.md": indexOfTests() };
for (const [file, text] of Object.entries(all)) {
  writeFileSync(new URL(`../${file}`, import.meta.url), text);
}
