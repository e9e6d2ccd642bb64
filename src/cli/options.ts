/** The values of options. Each function throws a UsageError that names the option and says what it accepts. */
import { parseWhen, type SpeltWhen, WHEN_ACCEPTS } from "../domain/date.ts";
import { UsageError } from "../domain/error.ts";

const MOST_WORKERS = 128;
const LARGEST_PORT = 65_535;

/** The refusal of an option's value. */
export function notAccepted(option: string, value: string | undefined, accepted: string): UsageError {
  return new UsageError(`${option} is ${JSON.stringify(value)}; accepted: ${accepted}.`);
}

/** The refusal of two options that exclude each other. */
export function bothGiven(one: string, other: string): UsageError {
  return new UsageError(`${one} and ${other} are both given; accepted: one of them.`);
}

/** One of some words; `undefined` if the option is absent. */
export function oneOf<Word extends string>(
  option: string,
  value: string | undefined,
  words: readonly Word[],
): Word | undefined {
  const word = words.find((each) => each === value);
  if (word === undefined && value !== undefined) throw notAccepted(option, value, words.join(", "));
  return word;
}

/** A whole number from 1 to `most`, in decimal digits. */
export function readNumber(
  option: string,
  value: string,
  most: number,
  accepted = `a whole number from 1 to ${most}`,
): number {
  const number = /^[1-9]\d{0,14}$/.test(value) ? Number(value) : Number.NaN;
  if (number <= most) return number;
  throw notAccepted(option, value, accepted);
}

/** Milliseconds of each unit of a duration, the largest first. */
export const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

type Unit = keyof typeof UNITS;

/** A duration such as `90d`, in milliseconds; `undefined` if `value` is malformed or has another unit than `units`. */
export function parseDuration(value: string, units: readonly Unit[]): number | undefined {
  const [, amount, letter] = /^(0|[1-9]\d{0,5})([a-z])$/.exec(value) ?? [];
  const unit = units.find((each) => each === letter);
  return unit === undefined ? undefined : Number(amount) * UNITS[unit];
}

/** How long a token lives (`least` is 1) or a replaced one still works, in milliseconds, such as `90d` or `12h`. */
export function readDaysOrHours(option: string, value: string, least: number): number {
  const milliseconds = parseDuration(value, ["d", "h"]);
  if (milliseconds !== undefined && milliseconds >= least) return milliseconds;
  throw notAccepted(option, value, "days or hours, such as 90d or 12h");
}

/** How long to wait, in milliseconds; `undefined` if the option is absent. */
export function readWait(
  value: string | undefined,
  option = "--wait",
  example = "30s, 10m or 1h",
): number | undefined {
  if (value === undefined) return undefined;
  const milliseconds = parseDuration(value, ["s", "m", "h"]);
  if (milliseconds !== undefined) return milliseconds;
  throw notAccepted(option, value, `seconds, minutes or hours, such as ${example}`);
}

/** `undefined` if the option is absent. */
export function readBase(value: string | undefined): number | undefined {
  const accepted = "the number of a revision, as rolebook status shows it";
  return value === undefined ? undefined : readNumber("--base", value, 1e15 - 1, accepted);
}

/** `undefined` if the option is absent. */
export function readAt(spelt: string | undefined): SpeltWhen | undefined {
  return spelt === undefined ? undefined : readWhen("--at", spelt);
}

export function readWhen(option: string, spelt: string): SpeltWhen {
  const when = parseWhen(spelt);
  if (when !== undefined) return { spelt, when };
  throw notAccepted(option, spelt, WHEN_ACCEPTS);
}

export function readWorkers(value: string): number {
  return readNumber("--workers", value, MOST_WORKERS);
}

export function readPort(value: string): number {
  const port = portOf(value);
  if (port !== undefined) return port;
  throw notAccepted("--port", value, PORTS);
}

export const PORTS = `a whole number from 0 to ${LARGEST_PORT}`;

export function portOf(value: string): number | undefined {
  return /^\d{1,5}$/.test(value) && Number(value) <= LARGEST_PORT ? Number(value) : undefined;
}
