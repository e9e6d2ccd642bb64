/**
 * Two names as one text that SQL can split again, so that a list of pairs is one parameter. The first name is an id or
 * a content key, in ASCII only.
 */
export type Pair = string;

/** The number of digits for the length of the first name. */
const DIGITS = 3;

export function pairOf(first: string, second: string): Pair {
  return `${String(first.length).padStart(DIGITS, "0")}${first}${second}`;
}

export function namesOf(pair: Pair): readonly [first: string, second: string] {
  const end = DIGITS + Number(pair.slice(0, DIGITS));
  return [pair.slice(DIGITS, end), pair.slice(end)];
}

const LENGTH = (pair: string) => `CAST(substr(${pair}, 1, ${DIGITS}) AS integer)`;

/** SQL: the first name of a pair. */
export function firstOf(pair: string): string {
  return `substr(${pair}, ${DIGITS + 1}, ${LENGTH(pair)})`;
}

/** SQL: the second name of a pair. */
export function secondOf(pair: string): string {
  return `substr(${pair}, ${DIGITS + 1} + ${LENGTH(pair)})`;
}
