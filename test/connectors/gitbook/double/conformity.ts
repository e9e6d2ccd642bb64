import { Ajv2020 } from "ajv/dist/2020.js";
import { gitbookOpenapi } from "../../../parts/clients.ts";
import { pointer } from "../../../http/openapi/validator.ts";
import type { Vintage } from "./entries.ts";

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const validators = new Map<Vintage, Ajv2020>();

/** How an answer violates the OpenAPI file of a vintage; empty text if it does not. */
export function problemsOf(vintage: Vintage, path: string, status: number, body: unknown): string {
  let ajv = validators.get(vintage);
  if (ajv === undefined) {
    ajv = new Ajv2020({
      strict: false,
      logger: false,
      formats: { uri: (text: string) => URL.canParse(text), "date-time": DATE },
    });
    ajv.addSchema({ ...gitbookOpenapi(vintage), $id: "document" }, "document");
    validators.set(vintage, ajv);
  }
  const at = pointer(
    "paths",
    path,
    "get",
    "responses",
    String(status),
    "content",
    "application/json",
    "schema",
  );
  const check = ajv.getSchema(`document${at}`);
  if (check === undefined) return status === 200 ? `the document has no answer ${status} to GET ${path}` : "";
  return check(body) === true ? "" : ajv.errorsText(check.errors);
}
