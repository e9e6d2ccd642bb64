/**
 * The lists in rows: texts of stored numbers, ascending, each with what the list says of it. `12;45!;` are two teams of
 * a member, who owns the second; `7:3;` is a content or a site with the rank of a permission; `7;9;` are the spaces of a
 * site.
 *
 * A long list goes on in parts, so that who changes one entry writes one part. A part is named by a number that is not
 * above its first one: the entry of a number is in the last part whose name is not above it, else in part 0, which every
 * row has. Rows sorted by part have each list in order.
 */

import { limit } from "../limit.ts";

/** What a list says of each number, as it follows the number in the text. */
export type List = ReadonlyMap<number, string>;

export type Entry = readonly [number: number, says: string];

/** How many entries a part has at most. */
export const LONGEST = limit("rows.longest", 500);

/** The mark of an owner among the teams of a member. */
export const OWNER = "!";

/** What follows the number in a permission. */
export function ranked(rank: number | string): string {
  return `:${rank}`;
}

/** The rank in what {@link ranked} says. */
export function rankIn(says: string): string {
  return says.slice(1);
}

export function readList(text: string): Map<number, string> {
  const list = new Map<number, string>();
  for (const entry of text.split(";")) {
    if (entry === "") continue;
    const number = Number.parseInt(entry, 10);
    list.set(number, entry.slice(String(number).length));
  }
  return list;
}

export function writeList(entries: Iterable<Entry>): string {
  let text = "";
  for (const [number, says] of entries) text += `${number}${says};`;
  return text;
}

/** Entries in the order of their numbers. */
export function sorted(list: List): Entry[] {
  return [...list].sort(([a], [b]) => a - b);
}

/** Entries in stretches of at most `length`; one stretch without entries. */
export function stretchesOf(entries: readonly Entry[], length: number): readonly (readonly Entry[])[] {
  const stretches: (readonly Entry[])[] = [];
  for (let from = 0; from === 0 || from < entries.length; from += length)
    stretches.push(entries.slice(from, from + length));
  return stretches;
}

/** How a list of a row goes on in parts: those of one list have other names than those of another. */
export interface InParts {
  /** The name of the part that begins with a number. */
  partOf(number: number): number;
  /** The lowest name. Part 0 has what is before it. */
  readonly lowest: number;
}

/** Greater than all stored numbers. */
const NUMBERS = 2 ** 40;

/** The permissions of a member, the teams with a permission on a content, the spaces of a site. */
export const BY_NUMBER: InParts = { partOf: (number) => number, lowest: 1 };

/** The teams of a member, and those with a permission on a site. */
export const ABOVE_NUMBERS: InParts = { partOf: (number) => NUMBERS + number, lowest: NUMBERS + 1 };

/** A whole list, as the text of part 0 and the further parts. */
export function inParts(
  list: string,
  parts: InParts | undefined,
): { readonly first: string; readonly further: readonly (readonly [part: number, text: string])[] } {
  // A shorter text has fewer entries.
  if (parts === undefined || list.length < 2 * LONGEST) return { first: list, further: [] };
  const [first = "", ...others] = list.match(STRETCHES) ?? [];
  return { first, further: others.map((text) => [parts.partOf(Number.parseInt(text, 10)), text]) };
}

const STRETCHES = new RegExp(`(?:[^;]*;){1,${LONGEST}}`, "g");
