/**
 * The JSON Schemas of the snapshot file and the change file, made from the declarations that validate their lines
 * (docs/snapshot.md).
 */
import type { Json } from "../domain/json.ts";
import { HEADER, isRemovable, REMOVALS } from "./changes/records.ts";
import { END, RECORDS } from "./records.ts";

type Fields = Readonly<Record<string, Json>>;

/** Patterns for this program's formats, which other validators do not know. */
const FORMATS: Readonly<Record<string, Fields>> = {
  "rolebook-text": { pattern: "^[^\\u0000]*$" },
  "rolebook-user-id": { pattern: "^(?!\\.{1,2}$)[^\\u0000-\\u001f\\u007f-\\u009f]*$" },
  "rolebook-url": {
    format: "uri",
    pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\u0000-\\u001f\\u007f-\\u009f]+$",
  },
  "rolebook-date": {
    format: "date-time",
    pattern:
      "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
  },
};

/** The schemas of lines, by the value of `object`. */
const LINES = { ...RECORDS, end: END };

/** A permission has one content or site and one grantee, and only on a site it may be null. */
const ONE_OF_EACH: Fields = {
  allOf: [
    { oneOf: [{ required: ["space"] }, { required: ["collection"] }, { required: ["site"] }] },
    { oneOf: [{ required: ["user"] }, { required: ["team"] }] },
    { anyOf: [{ required: ["site"] }, { properties: { permission: { type: "string" } } }] },
  ],
};

/**
 * The schema of a line of a snapshot file. An import also checks relations between lines, which no schema of a line can
 * express.
 */
export function snapshotSchema(): Fields {
  return lineSchema(
    "Rolebook snapshot record",
    "One line of a Rolebook snapshot file. rolebook import --dry-run also checks relations between lines, such as that a parent exists.",
    Object.entries(LINES).map(([kind, schema]) => ({ kind, name: kind, schema })),
  );
}

/** The schema of a line of a change file (docs/changes.md). */
export function changesSchema(): Fields {
  const lines = { changes: HEADER, ...LINES };
  return lineSchema(
    "Rolebook change record",
    "One line of a Rolebook change file. rolebook apply --dry-run also checks relations between lines, and with the stored records.",
    [
      ...Object.entries(lines).map(([kind, schema]) => ({
        kind,
        name: kind,
        schema,
        ...(isRemovable(kind) ? { removed: false } : {}),
      })),
      ...Object.entries(REMOVALS).map(([kind, schema]) => ({
        kind,
        name: `removed-${kind}`,
        schema,
        removed: true,
      })),
    ],
  );
}

interface Form {
  /** The value of `object`. */
  readonly kind: string;
  readonly name: string;
  readonly schema: object;
  /** Whether a line has `removed`; absent if that does not matter. */
  readonly removed?: boolean;
}

function lineSchema(title: string, description: string, forms: readonly Form[]): Fields {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    description,
    type: "object",
    required: ["object"],
    properties: { object: { enum: [...new Set(forms.map(({ kind }) => kind))] } },
    // `if` selects one kind, so that a validator reports the faulty field and not every other kind.
    allOf: forms.map(({ kind, name, removed }) => ({
      if: {
        properties: { object: { const: kind } },
        required: removed === true ? ["object", "removed"] : ["object"],
        ...(removed === false ? { not: { required: ["removed"] } } : {}),
      },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { $ref: `#/$defs/${name}` },
    })),
    $defs: Object.fromEntries(forms.map(({ kind, name, schema }) => [name, recordSchema(kind, schema)])),
  };
}

function recordSchema(kind: string, schema: object): Fields {
  const fields = fieldsOf(schema);
  return kind === "permission" ? { ...fields, ...ONE_OF_EACH } : fields;
}

/** A declaration as plain JSON Schema. Throws an Error for a format that {@link FORMATS} lacks. */
function fieldsOf(schema: object): Fields {
  const plain: Record<string, Json> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "format") Object.assign(plain, formatOf(String(value)));
    else if (keyword === "accepts") plain.description = `Accepted: ${String(value)}`;
    else plain[keyword] = jsonOf(value);
  }
  return plain;
}

function formatOf(name: string): Fields {
  const fields = FORMATS[name];
  if (fields === undefined) throw new Error(`The format ${name} has no equal in JSON Schema yet.`);
  return fields;
}

function jsonOf(value: unknown): Json {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value === "object" && value !== null) return fieldsOf(value);
  if (value === null || typeof value === "boolean" || typeof value === "number" || typeof value === "string")
    return value;
  throw new TypeError(`A declaration holds ${String(value)}, which JSON has no word for.`);
}
