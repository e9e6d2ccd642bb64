/** Validates parsed values. A problem names the path of its value in the file. */
import { quote } from "../../domain/text.ts";

/** Field names and list indexes, from the top of the file. */
export type ValuePath = readonly (string | number)[];

export class Problem extends Error {
  override readonly name = "Problem";
  readonly path: ValuePath;

  constructor(path: ValuePath, message: string) {
    super(message);
    this.path = path;
  }
}

export function shown(value: unknown): string {
  if (value === undefined) return "missing";
  return typeof value === "string" ? quote(value) : (JSON.stringify(value)?.slice(0, 100) ?? String(value));
}

/** Throws a Problem for an unknown field. */
export function fieldsOf<Name extends string>(
  value: unknown,
  path: ValuePath,
  what: string,
  names: readonly Name[],
): Partial<Record<Name, unknown>> {
  if (!isObject(value)) throw new Problem(path, `${what} is ${shown(value)}; accepted: ${names.join(", ")}`);
  const fields: Partial<Record<Name, unknown>> = {};
  for (const [given, inner] of Object.entries(value)) {
    const name = names.find((each) => each === given);
    if (name === undefined) {
      throw new Problem([...path, given], `${what} has ${quote(given)}; accepted: ${names.join(", ")}`);
    }
    fields[name] = inner;
  }
  return fields;
}

/** Throws a Problem unless the value is a list with at least one entry. */
export function listOf(value: unknown, path: ValuePath, name: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new Problem(path, `${name} is ${shown(value)}; accepted: a list with at least one entry`);
}

/** The longest text of a rule, in characters. */
export const LONGEST = 200;

/** Throws a Problem unless the value is a text on one line, not blank and not longer than {@link LONGEST}. */
export function oneLineOf(value: unknown, path: ValuePath, name: string): string {
  if (typeof value === "string" && value.isWellFormed() && /^(?! *$)[^\p{Cc}]+$/u.test(value)) {
    if (value.length <= LONGEST) return value;
  }
  throw new Problem(path, `${name} is ${shown(value)}; accepted: one line of 1 to ${LONGEST} characters`);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
