/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** An object whose fields are not checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON value is an object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
