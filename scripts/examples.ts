/**
 * Writes src/http/openapi/examples.json: what the program answers for Acme, the example organization, to the request
 * that the OpenAPI document shows for each operation. A test holds the file to the program.
 */
import { writeFileSync } from "node:fs";
import { format } from "node:util";
import { exampleAnswers } from "../test/openapi/example-answers.ts";

const file = new URL("../src/http/openapi/examples.json", import.meta.url);
const answers = await exampleAnswers();
writeFileSync(file, `${JSON.stringify(answers, null, 2)}\n`);
process.stderr.write(format("Wrote %s.\n", file.pathname));
