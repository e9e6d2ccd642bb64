/**
 * The form in which records are compared, stored, sent and exported (contract, section 11): the fields in the order of
 * their declaration, instants in UTC, no defaults, and no escapes that JSON does not need.
 */
import type { TObject, TSchema } from "typebox";
import { SPACE_DEFAULTS } from "../../domain/document.ts";
import { normaliseDate } from "../../domain/date.ts";
import { DATE_FORMAT } from "../fields.ts";
import { isObject, isObjectSchema } from "../reading/validate.ts";
import { RECORDS, type RecordOf } from "../records.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Field {
  readonly name: string;
  /** Brings a value to the form. Returns `undefined` for a value that is left out. */
  readonly form: (value: unknown) => unknown;
}

type Defaults = ReadonlyMap<string, unknown>;

const INHERITS: Defaults = new Map([["defaultLevel", "inherit"]]);
const OF_SPACES: Defaults = new Map(SPACE_DEFAULTS.map(([name, , value]) => [name, value]));

/** The records that are stored as documents. */
const FIELDS = {
  user: fieldsOf(RECORDS.user),
  team: fieldsOf(RECORDS.team),
  collection: fieldsOf(RECORDS.collection, INHERITS),
  space: fieldsOf(RECORDS.space, OF_SPACES),
};

/** The fields of a valid record. The JSON text of two records is equal if and only if they say the same. */
export function inForm(record: RecordOf<keyof typeof FIELDS>): Fields {
  return formed(FIELDS[record.object], record);
}

function formed(fields: readonly Field[], given: Fields): Fields {
  const all: Record<string, unknown> = {};
  for (const { name, form } of fields) {
    const value = given[name];
    const said = value === undefined ? undefined : form(value);
    if (said !== undefined) all[name] = said;
  }
  return all;
}

function fieldsOf({ properties }: TObject, defaults: Defaults = new Map()): Field[] {
  return Object.entries(properties).map(([name, schema]) => {
    const form = valueForm(schema);
    if (name === "urls") return { name, form: (value) => unlessEmpty(form(value)) };
    if (!defaults.has(name)) return { name, form };
    return { name, form: (value) => (value === defaults.get(name) ? undefined : value) };
  });
}

function valueForm(schema: TSchema): Field["form"] {
  if (isObjectSchema(schema)) {
    const fields = fieldsOf(schema);
    return (value) => (isObject(value) ? formed(fields, value) : value);
  }
  if ("format" in schema && schema.format === DATE_FORMAT) return (value) => normaliseDate(String(value));
  return (value) => value;
}

/** An empty `urls` says nothing, because each of its fields has a default. */
function unlessEmpty(urls: unknown): unknown {
  return isObject(urls) && Object.keys(urls).length === 0 ? undefined : urls;
}
