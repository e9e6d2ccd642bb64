/** Generated parts of documents are up to date. */
import { expect, test } from "vitest";
import { textOf } from "../examples/acme.ts";
import { generated } from "./generated.ts";

test("generated files and tables are up to date", async () => {
  for (const [file, text] of Object.entries(await generated())) {
    expect(textOf(file), `${file}: run npm run generate`).toBe(text);
  }
});
