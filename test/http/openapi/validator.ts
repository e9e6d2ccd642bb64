import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { OpenapiDocument } from "../../../src/http/openapi/components.ts";

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Validates values against schemas of an OpenAPI document (JSON Schema 2020-12, as of OpenAPI 3.1). */
export class Validator {
  readonly #ajv: Ajv2020;

  constructor(document: OpenapiDocument<unknown>) {
    this.#ajv = new Ajv2020({
      allErrors: true,
      strict: false,
      formats: { uri: (text: string) => URL.canParse(text), "date-time": DATE },
    });
    this.#ajv.addSchema({ ...document, $id: "document" }, "document");
  }

  /** The errors of `value` by the schema at a JSON pointer of the document; empty text if there are none. */
  problems(pointer: string, value: unknown): string {
    const check: ValidateFunction | undefined = this.#ajv.getSchema(`document${pointer}`);
    if (check === undefined) throw new Error(`The document has no schema at ${pointer}.`);
    return check(value) ? "" : this.#ajv.errorsText(check.errors);
  }
}

/** A JSON pointer as a URI fragment. */
export function pointer(...keys: readonly string[]): string {
  return `#${keys.map((key) => `/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")}`;
}
