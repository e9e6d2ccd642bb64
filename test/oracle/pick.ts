import * as fc from "fast-check";

/** A position for `pick`: choices stay independent of each other, so each shrinks alone. */
export const position: fc.Arbitrary<number> = fc.nat({ max: 999 });

/** The item at a position counted round the list, or `undefined` of an empty one. */
export function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % items.length];
}

/** An id as near as possible to the one wanted that is not taken yet; takes it. */
export function fresh(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let attempt = 2; taken.has(id); attempt += 1) id = `${wanted.slice(0, 120)}${attempt}`;
  taken.add(id);
  return id;
}

/** `{ [key]: value }`, or nothing at all for `undefined`. */
export function optional<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { [Name in Key]?: Value } {
  const there: { [Name in Key]?: Value } = {};
  if (value !== undefined) there[key] = value;
  return there;
}
