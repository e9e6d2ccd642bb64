import type { SchemaObject } from "./shape.ts";

/** A TypeBox schema as plain JSON Schema. An `enum` without a type gets the type string. */
export function jsonSchema(schema: object): SchemaObject {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !("enum" in value) || "type" in value) return value;
    return { type: "string", ...value };
  });
}
