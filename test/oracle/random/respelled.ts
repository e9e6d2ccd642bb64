import { DEFAULTS } from "../form.ts";
import type { SnapshotRecord } from "../records.ts";
import { randomOf, shuffle, spelledAgain } from "./values.ts";

const DATES = ["createdAt", "updatedAt", "deletedAt"];

type Fields = Readonly<Record<string, unknown>>;

/**
 * A snapshot file with the same records in other words: fields in another order, characters escaped, times with other
 * offsets and fractions, numbers with a fraction or an exponent, defaults written out or left out, and white space.
 * `share` is the part of the lines that are written so.
 */
export function respelled(records: readonly SnapshotRecord[], seed: number, share = 1): string {
  const random = randomOf(seed);
  return records
    .map((record) =>
      random() < share ? json(refilled({ ...record }, random), random) : JSON.stringify(record),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** Writes out or leaves out default values. */
function refilled(record: Fields, random: () => number): Fields {
  const filled = DEFAULTS[String(record.object)] ?? {};
  const all: Record<string, unknown> = { ...record };
  for (const [name, value] of Object.entries(filled)) {
    if (all[name] === undefined && random() < 0.5) all[name] = value;
    else if (JSON.stringify(all[name]) === JSON.stringify(value) && random() < 0.5) all[name] = undefined;
  }
  return all;
}

/** JSON text of a value, in one of its many spellings. */
function json(value: unknown, random: () => number, name = ""): string {
  const space = () => (random() < 0.9 ? "" : random() < 0.5 ? " " : "\t ");
  if (typeof value === "string") {
    const isDate = DATES.includes(name);
    return text(isDate && random() < 0.5 ? spelledAgain(value, random) : value, random);
  }
  if (typeof value === "number")
    return random() < 0.5 ? String(value) : `${value}${random() < 0.5 ? ".0" : "e0"}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  const written = shuffle(fields, seedOf(random)).map(
    ([key, each]) =>
      `${space()}${text(key, random)}${space()}:${space()}${json(each, random, key)}${space()}`,
  );
  return `${space()}{${written.join(",")}}`;
}

function text(value: string, random: () => number): string {
  const characters = [...value].map((character) => {
    if (random() < 0.9) return JSON.stringify(character).slice(1, -1);
    if (character === "/") return "\\/";
    const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
    return units.map((unit) => `\\u${random() < 0.5 ? unit : unit.toUpperCase()}`).join("");
  });
  return `"${characters.join("")}"`;
}

function seedOf(random: () => number): number {
  return Math.floor(random() * 2 ** 31);
}
