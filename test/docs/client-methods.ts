/** The methods of the official client that Rolebook answers, with what their types have and Rolebook does not. */
import type { TSchema } from "typebox";
import { OPERATIONS } from "../../src/operations/operations.ts";
import { parameterName, queryParametersOf } from "../../src/operations/parameters.ts";
import { SCHEMAS } from "../../src/operations/schemas.ts";
import { THINGS } from "../../src/operations/things.ts";
import type { OpenapiDocument } from "../parts/clients.ts";

/** A JSON Schema, as far as it is read here. */
interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface ParameterObject {
  readonly $ref?: string;
  readonly in?: string;
  readonly name?: string;
}

interface Endpoint {
  readonly operationId?: string;
  readonly parameters?: readonly ParameterObject[];
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>
  >;
}

/** A field of an answer that Rolebook never sends, by its path. */
interface Missing {
  readonly path: string;
  readonly isRequired: boolean;
}

interface Method {
  readonly id: string;
  readonly path: string;
  /** The name of the type of the answer, or of an entry. */
  readonly type: string;
  readonly missing: readonly Missing[];
  /** Query parameters that Rolebook does not have. */
  readonly parameters: readonly string[];
}

/** What Rolebook declares: each operation with the schema of its answer, or of an entry. */
const DECLARED = [
  ...OPERATIONS.map((operation) => ({
    ...operation,
    schema: operation.entry,
    names: queryParametersOf(operation),
  })),
  ...THINGS.map((thing) => ({ ...thing, schema: thing.answer, names: [] })),
];

/** The methods in an OpenAPI document of the client that Rolebook declares, by the names of their operations. */
export function methodsIn(document: OpenapiDocument): ReadonlyMap<string, Method> {
  const theirs = endpointsIn(document);
  return new Map(
    DECLARED.flatMap(({ id, schema, names }): [string, Method][] => {
      const found = theirs.get(id);
      if (found === undefined) return [];
      const { path, item, shared } = found;
      const whole = item.responses?.["200"]?.content?.["application/json"]?.schema ?? {};
      const { properties } = flat(document, whole);
      const entry = properties.get("items")?.items ?? whole;
      const known = new Set<string>(names.map(parameterName));
      const parameters = [...shared, ...(item.parameters ?? [])]
        .map((parameter): ParameterObject => resolved(document, parameter))
        .flatMap((parameter) =>
          parameter.in === "query" && parameter.name !== undefined ? [parameter.name] : [],
        )
        .filter((name) => !known.has(name));
      const type = entry.$ref?.split("/").at(-1) ?? "";
      const missing = missingFrom(document, entry, SCHEMAS[schema], "");
      return [[id, { id, path, type, missing, parameters }]];
    }),
  );
}

function endpointsIn({ paths }: OpenapiDocument) {
  const found = new Map<string, { path: string; item: Endpoint; shared: readonly ParameterObject[] }>();
  for (const [path, methods] of Object.entries(paths)) {
    const { get, parameters = [] }: { get?: Endpoint; parameters?: readonly ParameterObject[] } = methods;
    if (get?.operationId !== undefined) found.set(get.operationId, { path, item: get, shared: parameters });
  }
  return found;
}

/** What a reference means. */
function resolved<Item extends { readonly $ref?: string }>(document: OpenapiDocument, item: Item): Item {
  if (item.$ref === undefined) return item;
  let value: unknown = document;
  for (const part of item.$ref.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) throw new Error(`${item.$ref} leads nowhere.`);
    value = Reflect.get(value, part.replaceAll("~1", "/"));
  }
  return resolved(document, JSON.parse(JSON.stringify(value)));
}

/** All properties of a schema, and the required ones. */
function flat(document: OpenapiDocument, schema: Schema) {
  const { allOf = [], properties = {}, required = [] } = resolved(document, schema);
  const found = { properties: new Map(Object.entries(properties)), required: new Set(required) };
  for (const each of allOf) {
    const inner = flat(document, each);
    for (const [name, value] of inner.properties) found.properties.set(name, value);
    for (const name of inner.required) found.required.add(name);
  }
  return found;
}

function missingFrom(document: OpenapiDocument, theirs: Schema, ours: TSchema, before: string): Missing[] {
  const own: Schema = JSON.parse(JSON.stringify(ours));
  const name = own.$ref?.split("/").at(-1);
  const known = Object.entries(SCHEMAS).find(([each]) => each === name);
  if (known !== undefined) return missingFrom(document, theirs, known[1], before);
  const { properties, required } = flat(document, theirs);
  return [...properties].flatMap(([field, value]): Missing[] => {
    const mine = own.properties?.[field];
    const path = before + field;
    if (mine === undefined) return [{ path, isRequired: required.has(field) }];
    return missingFrom(document, value, mine, `${path}.`);
  });
}

/** What a newer document of the client has for the declared methods, and an older one does not; a line each. */
export function driftOf(older: OpenapiDocument, newer: OpenapiDocument): string[] {
  const before = methodsIn(older);
  const lines: string[] = [];
  for (const { id, path: declared } of DECLARED) {
    const now = methodsIn(newer).get(id);
    const was = before.get(id);
    if (now === undefined) {
      lines.push(`${id}: gone`);
      continue;
    }
    if (`/v1${now.path}` !== declared) lines.push(`${id}: is at ${now.path}`);
    if (was === undefined) {
      lines.push(`${id}: new`);
      continue;
    }
    const known = new Set(was.missing.map(({ path }) => path));
    for (const name of now.parameters)
      if (!was.parameters.includes(name)) lines.push(`${id}: parameter ${name}`);
    for (const { path, isRequired } of now.missing)
      if (!known.has(path)) lines.push(`${id}: field ${path}${isRequired ? ", required" : ""}`);
  }
  const ids = new Set(DECLARED.map(({ id }) => id));
  const old = endpointsIn(older);
  for (const [id, { path }] of endpointsIn(newer)) {
    const isNear = /permission|member|team|^\/user/i.test(path);
    if (!old.has(id) && !ids.has(id) && isNear) lines.push(`${id}: new, at ${path}`);
  }
  return lines;
}
