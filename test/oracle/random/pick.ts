import * as fc from "fast-check";

/** A random position for {@link pick}. Positions are independent of the list, so that each shrinks by itself. */
export const position: fc.Arbitrary<number> = fc.nat({ max: 999 });

/** The item at a position modulo the length of the list; `undefined` for an empty list. */
export function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % items.length];
}

/** An id that is not taken, as similar as possible to the wanted one. Adds it to `taken`. */
export function fresh(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let attempt = 2; taken.has(id); attempt += 1) id = `${wanted.slice(0, 120)}${attempt}`;
  taken.add(id);
  return id;
}

/** `{ [key]: value }`, or `{}` for `undefined`. */
export function optional<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { [Name in Key]?: Value } {
  const there: { [Name in Key]?: Value } = {};
  if (value !== undefined) there[key] = value;
  return there;
}
