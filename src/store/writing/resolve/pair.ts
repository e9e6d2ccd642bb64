/**
 * Two names as one text, which a statement can take apart again: lists of pairs are one parameter. The first name is
 * an id or a content key, of ASCII alone.
 */
export type Pair = string;

/** Digits that say how long the first name is. */
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
