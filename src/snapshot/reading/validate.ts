import type { Static, TObject, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/schema";
import { show, showName } from "../problem.ts";
import { END, type FileRecord, isKind, type Kind, RECORDS, type SnapshotRecord } from "../records.ts";

type Check = (value: unknown) => boolean;

/** What `object` may be in a snapshot file. */
export const KINDS = [...Object.keys(RECORDS), "end"].join(", ");

const checks = new Map<Kind, Check>(
  Object.entries(RECORDS).flatMap(([kind, schema]) => {
    const validator: Validator = Compile(schema);
    return isKind(kind) ? [[kind, (value: unknown) => validator.Check(value)]] : [];
  }),
);

/**
 * The record of a parsed line, or a message of one sentence: the field, its value and what is accepted. `kinds` says
 * what `object` may be.
 */
export function validate(value: unknown, kinds = KINDS): FileRecord | string {
  if (!isObject(value)) return `the line is ${show(value)}; accepted: a JSON object`;
  const kind = value.object;
  if (kind === "end") return isEndRecord(value) ? value : (explain(kind, END, value) ?? "end is not valid");
  if (kind === "changes")
    return "this is a change file; rolebook apply takes it, and import takes whole files";
  if (!isKind(kind)) return `object is ${show(kind)}; accepted: ${kinds}`;
  if (!isRecord(kind, value)) return explain(kind, RECORDS[kind], value) ?? `${kind} is not valid`;
  return (value.object === "permission" && onesOf(value)) || value;
}

/**
 * The message for a permission that does not have exactly one content and one grantee. The one from JSON Schema would
 * not be clear.
 */
export function onesOf(value: object): string | undefined {
  for (const [a, b] of [
    ["space", "collection"],
    ["user", "team"],
  ] as const) {
    if (a in value === b in value) {
      return `permission has ${a in value ? "both" : "neither"} ${a} ${a in value ? "and" : "nor"} ${b}; accepted: one of them`;
    }
  }
  return undefined;
}

function isRecord(kind: Kind, value: object): value is SnapshotRecord {
  return checks.get(kind)?.(value) ?? false;
}

const endCheck: Validator = Compile(END);

function isEndRecord(value: unknown): value is Static<typeof END> {
  return endCheck.Check(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Explains the first invalid field. */
export function explain(path: string, schema: TObject, value: Record<string, unknown>): string | undefined {
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

const fieldChecks = new Map<TSchema, Check>();

/** Compiled at the first error of a field, and cached, because every line of a file may have an error. */
function checkOf(field: TSchema): Check {
  let check = fieldChecks.get(field);
  if (check === undefined) {
    const validator: Validator = Compile(field);
    check = (value) => validator.Check(value);
    fieldChecks.set(field, check);
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
