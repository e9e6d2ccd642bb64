/** Validates parsed values of unknown shape. Each problem names the path of its value in the file. */
import { quote } from "../../domain/text/quote.ts";

/** The path of a value: field names and list indexes from the top of the file. */
export type ValuePath = readonly (string | number)[];

/** An error in the file. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly place: ValuePath;

  constructor(place: ValuePath, message: string) {
    super(message);
    this.place = place;
  }
}

/** A value as an error message shows it. */
export function shown(value: unknown): string {
  if (value === undefined) return "missing";
  return typeof value === "string" ? quote(value) : (JSON.stringify(value)?.slice(0, 100) ?? String(value));
}

/** The fields of an object. Throws a Problem for an unknown field. */
export function fieldsOf<Name extends string>(
  value: unknown,
  place: ValuePath,
  what: string,
  names: readonly Name[],
): Partial<Record<Name, unknown>> {
  if (!isObject(value)) throw new Problem(place, `${what} is ${shown(value)}; accepted: ${names.join(", ")}`);
  const fields: Partial<Record<Name, unknown>> = {};
  for (const [given, inner] of Object.entries(value)) {
    const name = names.find((each) => each === given);
    if (name === undefined) {
      throw new Problem([...place, given], `${what} has ${quote(given)}; accepted: ${names.join(", ")}`);
    }
    fields[name] = inner;
  }
  return fields;
}

/** A list with at least one item. */
export function listOf(value: unknown, place: ValuePath, name: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new Problem(place, `${name} is ${shown(value)}; accepted: a list with at least one entry`);
}

/** The longest text of a rule, in characters. */
export const LONGEST = 200;

/** A text on one line. */
export function oneLineOf(value: unknown, place: ValuePath, name: string): string {
  if (typeof value === "string" && value.isWellFormed() && /^(?! *$)[^\p{Cc}]+$/u.test(value)) {
    if (value.length <= LONGEST) return value;
  }
  throw new Problem(place, `${name} is ${shown(value)}; accepted: one line of 1 to ${LONGEST} characters`);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
