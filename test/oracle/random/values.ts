import * as fc from "fast-check";
import { utc } from "../date.ts";
import { type DefaultLevel, ROLES, type Role } from "../records.ts";

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

/** Random numbers from 0 to 1 by a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Shuffles items by a seed (Fisher and Yates). Seed 0 keeps the order, so that counterexamples shrink towards a sorted
 * file.
 */
export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  if (seed === 0) return [...items];
  const random = randomOf(seed);
  const rest = [...items];
  return items.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1));
}

/** Arbitraries of single values. All values are valid by docs/snapshot.md, and some are difficult. */

const CONTENT_IDS = [
  ..."a b A B 0 9 10 - _ a- a_ a0 aA aa ab aB AB -a _a a-b a_b ab-c 01 1e3 null undefined true".split(" "),
  ..."constructor __proto__ toString users teams aggregate permissions".split(" "),
  "a".repeat(128),
  `${"a".repeat(127)}b`,
];

const USER_IDS = [
  ..."a b A B aa ab aB 0 10 9 a-b a_b u1 u10 u2 - _ ~ ... .a a. , ; : ! * ( ) $ ^ | < [ {}".split(" "),
  ..."alice@example.org Alice@example.org a/b a//b / a/ ../a ./a a%2Fb a%2fb % %% %25 %zz a_ a% \\".split(
    " ",
  ),
  ..."a? ?a=b a&b a#b a+b a=b \" ' a'b a\"b `a` null undefined __proto__ constructor spaces teams".split(" "),
  "a b",
  " a",
  "a ",
  " ",
  // One letter in two Unicode spellings, and letters with equal case folding. These are ids of four different users.
  "\u00E9",
  "e\u0301",
  "\u00C9",
  "ss",
  "\u00DF",
  "\uFB01",
  "\u00A0",
  "\u200B",
  "\u2028",
  "\uFEFF",
  "a".repeat(255),
  "\u{1F600}".repeat(255),
];

/** UTF-16 sorts characters above U+FFFF before U+E000 to U+FFFF; UTF-8 sorts them after. */
const USER_IDS_BEYOND = [
  "\uD7FF",
  "\uE000",
  "\uFF61",
  "\uFF9F",
  "\uFFFD",
  "\u{10000}",
  "\u{1F600}",
  "\u{10FFFD}",
  "a\uFF61",
  "a\u{1F600}",
];

const TITLES = [
  ..."Team École ÉCOLE école Straße STRASSE strasse straẞe ΟΔΟΣ οδος οδοσ Οδός İstanbul ısı K Å Ω".split(" "),
  ..."100% 1000 a_b aXb a\\b a\\\\b % _ \\ \\% %_ ' \" '' ; -- ﬁn fin ² ǅ ŉ ΐ ａｂ 株 😀 a+b null Acme™ ㎒ ΟΔΟΣΤΡΩΜΑ".split(
    " ",
  ),
  "E\u0301cole",
  "",
  " ",
  "  two  spaces ",
  "line\nbreak\ttab",
  "\u0001\u001F\u007F\u2028",
  "</script><!--",
  "\u{1F469}\u200D\u{1F680}",
  "x".repeat(300),
];

const INSTANTS = [
  "2025-03-01T09:30:00.001Z",
  "2025-03-01T09:29:59.999Z",
  "2024-02-29T23:59:59.999Z",
  "1970-01-01T00:00:00.000Z",
  "1969-12-31T23:59:59.999Z",
  "0099-12-31T12:00:00.000Z",
  "9998-12-31T12:00:00.000Z",
].map((date) => Date.parse(date));

const OFFSETS = [0, 330, -480, 840, -1439, 1439, 60];
// RFC 3339 allows `t` and `z` too.
const ZEROS = ["Z", "z", "+00:00", "-00:00"];
const SEPARATORS = ["T", "T", "T", "t"];
const FURTHER = ["", "0", "9", "4999", "999999999"];

/** Any role; shrinks to `read`. */
export const role: fc.Arbitrary<Role> = fc.constantFrom(...ROLES);

/** A default level; `undefined` omits the field. */
export const defaultLevel: fc.Arbitrary<DefaultLevel | undefined> = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constant<DefaultLevel>("inherit") },
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: role },
);

/** An id of an organization, team, collection, space or site. There are so few that kinds and imports share many. */
export const contentId: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.constantFrom(...CONTENT_IDS) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom(..."aAbB01-_"), minLength: 1, maxLength: 4 }),
  },
);

const userIdUnit = fc.constantFrom(
  "a",
  "A",
  "b",
  "0",
  "/",
  "%",
  " ",
  "@",
  '"',
  "'",
  "\\",
  "_",
  ".",
  "?",
  "\uFF61",
);

export const userId: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  { weight: 4, arbitrary: fc.constantFrom(...USER_IDS) },
  { weight: 1, arbitrary: fc.constantFrom(...USER_IDS_BEYOND) },
  {
    weight: 1,
    arbitrary: fc
      .string({
        unit: fc.oneof(userIdUnit, fc.constantFrom("\u00E9", "\uE000", "\u{1F600}", "\u{1F601}")),
        minLength: 1,
        maxLength: 5,
      })
      .filter((id) => id !== "." && id !== ".."),
  },
);

export const title: fc.Arbitrary<string> = fc.constantFrom(...TITLES);

/** A time in any RFC 3339 format: with any offset, and with fewer or more fraction digits. */
export const date: fc.Arbitrary<string> = fc
  .record({
    instant: fc.oneof(
      { withCrossShrink: true },
      // Half of all dates are the same time, so that many `createdAt` are equal.
      { weight: 3, arbitrary: fc.constant(Date.parse("2025-03-01T09:30:00.000Z")) },
      { weight: 2, arbitrary: fc.constantFrom(...INSTANTS) },
      { weight: 1, arbitrary: fc.integer({ min: -2_208_988_800_000, max: 4_102_444_800_000 }) },
    ),
    offset: fc.constantFrom(...OFFSETS),
    zero: fc.constantFrom(...ZEROS),
    further: fc.constantFrom(...FURTHER),
    short: fc.boolean(),
    separator: fc.constantFrom(...SEPARATORS),
  })
  .map(spelled);

interface Spelling {
  readonly instant: number;
  /** In minutes. */
  readonly offset: number;
  /** How an offset of 0 is written. */
  readonly zero: string;
  /** Digits of the fraction after the third. */
  readonly further: string;
  /** Omits zeros at the end of the fraction. */
  readonly short: boolean;
  readonly separator: string;
}

/** A time in RFC 3339. */
function spelled({ instant, offset, zero, further, short, separator }: Spelling): string {
  const [day = "", time = ""] = new Date(instant + offset * 60_000).toISOString().slice(0, -1).split("T");
  const digits = short ? time.replace(/\.?0+$/, "") : `${time}${further}`;
  return `${day}${separator}${digits}${offset === 0 ? zero : spellOffset(offset)}`;
}

/** The spellings of a time that {@link date} makes, one of them by a random number. */
export function spelledAgain(date: string, random: () => number): string {
  const one = <Item>(items: readonly Item[], otherwise: Item) =>
    items[Math.floor(random() * items.length)] ?? otherwise;
  return spelled({
    instant: Date.parse(utc(date)),
    offset: one(OFFSETS, 0),
    zero: one(ZEROS, "Z"),
    further: one(FURTHER, ""),
    short: random() < 0.5,
    separator: one(SEPARATORS, "T"),
  });
}

function spellOffset(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** A URL. A URL parser would rewrite some of them. */
export const url: fc.Arbitrary<string> = fc.constantFrom(
  "https://example.org/",
  "http://localhost:8080/a?b=c&d=%C3%A9#e",
  "https://Example.ORG:443/a/../b%7e",
);

export const count: fc.Arbitrary<number> = fc.constantFrom(0, 1, 7, 2 ** 31, 2 ** 53 - 1);
