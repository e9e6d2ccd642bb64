/** Parses values of unknown shape. Problems name their place. */
import { quote } from "../../domain/text/quote.ts";

/** The place of a value: names of fields and indexes of lists, from the top of the file. */
export type Place = readonly (string | number)[];

/** An error in the file. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly place: Place;

  constructor(place: Place, message: string) {
    super(message);
    this.place = place;
  }
}

/** A value as a problem shows it. */
export function shown(value: unknown): string {
  if (value === undefined) return "missing";
  return typeof value === "string" ? quote(value) : (JSON.stringify(value)?.slice(0, 100) ?? String(value));
}

/** The fields of an object; an unknown field is a problem. */
export function fieldsOf<Name extends string>(
  value: unknown,
  place: Place,
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

/** A list that is not empty. */
export function listOf(value: unknown, place: Place, name: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new Problem(place, `${name} is ${shown(value)}; accepted: a list with at least one entry`);
}

/** The largest number of characters in a line of words. */
export const LONGEST = 200;

/** Words on one line. */
export function oneLineOf(value: unknown, place: Place, name: string): string {
  if (typeof value === "string" && value.isWellFormed() && /^(?! *$)[^\p{Cc}]+$/u.test(value)) {
    if (value.length <= LONGEST) return value;
  }
  throw new Problem(place, `${name} is ${shown(value)}; accepted: one line of 1 to ${LONGEST} characters`);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
