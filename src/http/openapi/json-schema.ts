import type { SchemaObject } from "./shape.ts";

/** A declared schema as the JSON Schema that it stands for. An enumeration without a type is one of strings. */
export function jsonSchema(schema: object): SchemaObject {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !("enum" in value) || "type" in value) return value;
    return { type: "string", ...value };
  });
}
