import { IsObject, type TObject } from "typebox";
import { CommandError } from "../../domain/error.ts";
import { isRole, type Role } from "../../domain/role.ts";
import { show } from "../../snapshot/problem.ts";
import { type Kind, type RecordOf, RECORDS } from "../../snapshot/records.ts";
import { validate } from "../../snapshot/validate.ts";
import type { Concerns } from "./concerns.ts";
import { isJson, type Json } from "./api/json.ts";

/** These fields come only from `fields`, never from GitBook's item. */
const DECIDED = ["parent", "defaultLevel"];

/** The optional fields that GitBook has for a kind of record, with their inner fields. */
function optionalFields(kind: Kind): (readonly [name: string, inner: readonly string[] | undefined])[] {
  if (kind !== "user" && kind !== "space") return [];
  const { properties, required }: TObject = RECORDS[kind];
  return Object.entries(properties)
    .filter(([name]) => !required?.includes(name) && !DECIDED.includes(name))
    .map(([name, field]) => [name, IsObject(field) ? Object.keys(field.properties) : undefined]);
}

/**
 * The record of an item: its required fields are `fields`, its optional ones come from `item`. Throws a CommandError if
 * a required field is invalid. An optional field that is invalid is left out, and is a concern.
 */
export function recordOf<K extends Kind>(kind: K, fields: Json, item: Json, concerns: Concerns): RecordOf<K> {
  let record = checked(kind, { object: kind, ...fields });
  const attempt = (more: Json, name: string) => {
    const next = validate({ ...record, ...more });
    if (typeof next !== "string" && isOf(kind, next)) record = next;
    else concerns.note(`value:${kind}.${name}`, `${kind}/${String(fields.id)}`);
  };
  for (const [name, inner] of optionalFields(kind)) {
    const value = item[name];
    if (value === undefined || value === null) continue;
    if (inner === undefined || !isJson(value)) {
      attempt({ [name]: value }, name);
      continue;
    }
    let taken: Json = {};
    for (const key of inner) {
      if (value[key] === undefined || value[key] === null) continue;
      const before = record;
      attempt({ [name]: { ...taken, [key]: value[key] } }, `${name}.${key}`);
      if (record !== before) taken = { ...taken, [key]: value[key] };
    }
  }
  return record;
}

function checked<K extends Kind>(kind: K, candidate: Json): RecordOf<K> {
  const record = validate(candidate);
  if (typeof record !== "string" && isOf(kind, record)) return record;
  throw new CommandError(
    `GitBook has a ${kind} that a snapshot cannot represent: ${String(record)} (${show(candidate)}). Nothing was written.`,
  );
}

function isOf<K extends Kind>(kind: K, record: { readonly object: string }): record is RecordOf<K> {
  return record.object === kind;
}

/** `undefined` for an unknown role, which is a concern. */
export function roleIn(value: unknown, at: string, concerns: Concerns): Role | undefined {
  if (isRole(value)) return value;
  concerns.note(`role:${String(value)}`, at);
  return undefined;
}

/** Throws a CommandError if there is no text at this path. */
export function textIn(item: unknown, ...path: readonly string[]): string {
  let value = item;
  for (const name of path) value = isJson(value) ? value[name] : undefined;
  if (typeof value === "string") return value;
  throw new CommandError(`GitBook's answer has no ${path.join(".")}: ${show(item)}. Nothing was written.`);
}
