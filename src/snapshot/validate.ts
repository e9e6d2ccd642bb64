/**
 * Validates one parsed line, and says in one sentence what is wrong with the first invalid field. `JSON.parse` accepts
 * two mistakes silently, a repeated key and a count that is rounded to a whole number; both are found in the text of
 * the line.
 */
import { type JsonObject, isObject } from "../domain/json.ts";
import { show, showName } from "./problem.ts";
import { COUNT_ACCEPTS, END, type FileRecord, PERMISSION_ACCEPTS, RECORDS, isKind } from "./records.ts";
import type { Static, TObject, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/schema";

/** What `object` may be in a snapshot file. */
export const KINDS_ACCEPTED = [...Object.keys(RECORDS), "end"].join(", ");

/**
 * The record of a parsed line, or a message of one sentence: the field, its value and what is accepted. `kinds` says
 * what `object` may be.
 */
export function validate(value: unknown, kinds = KINDS_ACCEPTED): FileRecord | string {
  if (!isObject(value)) return `the line is ${show(value)}; accepted: a JSON object`;
  const kind = value.object;
  if (kind === "end") return checked(kind, END, value);
  if (kind === "changes")
    return "this is a change file; rolebook apply takes it, and import takes whole files";
  if (!isKind(kind)) return `object is ${show(kind)}; accepted: ${kinds}`;
  return checked(kind, RECORDS[kind], value);
}

/** A value as the record that a schema declares, or a message of one sentence on the first invalid field. */
export function checked<Schema extends TObject>(
  kind: string,
  schema: Schema,
  value: JsonObject,
): Static<Schema> | string {
  if (!isValid(schema, value)) return explain(kind, schema, value) ?? `${kind} is not valid`;
  return (kind === "permission" && wrongIn(value)) || value;
}

function isValid<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  return checkOf(schema)(value);
}

/**
 * The message for a permission that does not have exactly one content or site and one grantee, or that denies access to
 * a content. The one from JSON Schema would not be clear.
 */
function wrongIn(value: JsonObject): string | undefined {
  for (const fields of [
    ["space", "collection", "site"],
    ["user", "team"],
  ]) {
    const [one, other] = fields.filter((field) => field in value);
    if (one === undefined)
      return `permission has no ${fields.slice(0, -1).join(", ")} or ${fields.at(-1)}; accepted: one of them`;
    if (other !== undefined) return `permission has both ${one} and ${other}; accepted: one of them`;
  }
  return value.permission === null && !("site" in value)
    ? `permission.permission is null; accepted: ${PERMISSION_ACCEPTS}`
    : undefined;
}

/** Explains the first invalid field. */
function explain(path: string, schema: TObject, value: Record<string, unknown>): string | undefined {
  const fields: Record<string, TSchema> = schema.properties;
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) {
      return `${path}.${showName(name)} is ${show(value[name])}; accepted fields of ${path}: ${Object.keys(fields).join(", ")}`;
    }
  }
  for (const [name, field] of Object.entries(fields)) {
    const place = `${path}.${name}`;
    const given = value[name];
    if (!Object.hasOwn(value, name)) {
      if (schema.required?.includes(name)) return `${place} is missing; accepted: ${acceptedBy(field)}`;
      continue;
    }
    if (checkOf(field)(given)) continue;
    if (isObjectSchema(field) && isObject(given)) return explain(place, field, given);
    const optional = given === null && !schema.required?.includes(name);
    const advice = optional ? "; omit the field if it has no value" : "";
    return `${place} is ${show(given)}; accepted: ${acceptedBy(field)}${advice}`;
  }
  return undefined;
}

const checks = new Map<TSchema, (value: unknown) => boolean>();

/** Compiled at the first use, and kept. */
function checkOf(schema: TSchema): (value: unknown) => boolean {
  let check = checks.get(schema);
  if (check === undefined) {
    const validator: Validator = Compile(schema);
    check = (value) => validator.Check(value);
    checks.set(schema, check);
  }
  return check;
}

export function isObjectSchema(schema: TSchema): schema is TObject {
  return "properties" in schema;
}

function acceptedBy(schema: TSchema): string {
  if ("accepts" in schema && typeof schema.accepts === "string") return schema.accepts;
  return isObjectSchema(schema)
    ? `an object with ${Object.keys(schema.properties).join(", ")}`
    : "another value";
}

const NAMES = Object.entries(RECORDS.space.properties)
  .filter(([, field]) => "accepts" in field && field.accepts === COUNT_ACCEPTS)
  .map(([name]) => name);
const COUNTS = new RegExp(
  String.raw`"(${NAMES.join("|")})"\s*:\s*(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?`,
  "g",
);

/**
 * `JSON.parse` rounds some fractions to whole numbers, such as 9007199254740991.2. Returns the first count of a space,
 * such as `comments`, that is no whole number as written in `text`, the line of the valid `record`.
 */
export function inexactCount(
  text: string,
  record: { readonly object: string },
): { field: string; written: string } | undefined {
  if (record.object !== "space") return undefined;
  for (const [, field = "", whole = "", fraction = "", exponent = "0"] of text.matchAll(COUNTS)) {
    if (isWhole(whole, fraction, exponent)) continue;
    return {
      field,
      written: `${whole}${fraction && `.${fraction}`}${exponent === "0" ? "" : `e${exponent}`}`,
    };
  }
  return undefined;
}

/** Whether digits, a fraction and an exponent make a whole number. */
function isWhole(whole: string, fraction: string, exponent: string): boolean {
  const digits = `${whole}${fraction}`.replace(/0+$/, "");
  if (/^-?$/.test(digits)) return true;
  const dropped = whole.length + fraction.length - digits.length;
  return Number(exponent) + dropped >= fraction.length;
}

const QUOTE = 0x22;

/**
 * The first key that an object in `text` has twice. `JSON.parse` takes the last value without a warning, so a
 * permission could be another one than a person reads. `text` must be valid JSON, and `value` its parsed value.
 */
export function repeatedKey(text: string, value: object): string | undefined {
  // Fast path: each key ends with a quotation mark and a colon. If there are as many of these as keys in the value, no
  // key is repeated.
  return colonsAfterQuotes(text) === keysIn(value) ? undefined : search(text);
}

function colonsAfterQuotes(text: string): number {
  let colons = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (isWhite(text.charCodeAt(before))) before--;
    if (text.charCodeAt(before) === QUOTE) colons++;
  }
  return colons;
}

function isWhite(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

function keysIn(value: object): number {
  let keys = 0;
  for (const inner of Object.values(value)) {
    if (typeof inner === "object" && inner !== null) keys += keysIn(inner);
  }
  return Array.isArray(value) ? keys : keys + Object.keys(value).length;
}

function search(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, key] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (key !== undefined) {
      const name = String(JSON.parse(key));
      const seen = open.at(-1);
      if (seen?.has(name)) return name;
      seen?.add(name);
    }
  }
  return undefined;
}
