/** The values of options. Each function throws a UsageError if its value is malformed. */
import { type SpeltWhen, WHEN_ACCEPTS, parseWhen } from "../domain/date.ts";
import { UsageError } from "../domain/error.ts";

/** Milliseconds of each unit of a duration, the largest first. */
export const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

type Unit = keyof typeof UNITS;

/** A duration such as `90d`, in milliseconds; `undefined` if `value` is malformed or has another unit than `units`. */
export function parseDuration(value: string, units: readonly Unit[]): number | undefined {
  const [, amount, letter] = /^(0|[1-9]\d{0,5})([a-z])$/.exec(value) ?? [];
  const unit = units.find((each) => each === letter);
  return unit === undefined ? undefined : Number(amount) * UNITS[unit];
}

const MOST_WORKERS = 128;
const LARGEST_PORT = 65_535;

/** The lifetime of a token in milliseconds, from a text such as `90d` or `12h`. */
export function readLifetime(value: string): number {
  return readDaysOrHours("--expires", value, 1);
}

/** How long a replaced token still works, in milliseconds, from a text such as `24h` or `0h`. */
export function readGrace(value: string): number {
  return readDaysOrHours("--grace", value, 0);
}

function readDaysOrHours(option: string, value: string, least: number): number {
  const milliseconds = parseDuration(value, ["d", "h"]);
  if (milliseconds !== undefined && milliseconds >= least) return milliseconds;
  throw new UsageError(`${option} is ${JSON.stringify(value)}; accepted: days or hours, such as 90d or 12h.`);
}

/** `undefined` if the option is absent. */
export function readBase(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw new UsageError(
    `--base is ${JSON.stringify(value)}; accepted: the number of a revision, as rolebook status shows it.`,
  );
}

/**
 * How long a command waits for another import or change, in milliseconds, from a text such as `10m`; `undefined` for
 * the default.
 */
export function readWait(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const milliseconds = parseDuration(value, ["s", "m", "h"]);
  if (milliseconds !== undefined) return milliseconds;
  throw new UsageError(
    `--wait is ${JSON.stringify(value)}; accepted: seconds, minutes or hours, such as 30s, 10m or 1h.`,
  );
}

export const AT = [
  "--at <when>",
  "a past revision: its number, the end of a day (UTC) or a date and time; by default the current one",
] as const;

/** `undefined` if the option is absent. */
export function readAt(spelt: string | undefined): SpeltWhen | undefined {
  return spelt === undefined ? undefined : readWhen("--at", spelt);
}

export function readWhen(option: string, spelt: string): SpeltWhen {
  const when = parseWhen(spelt);
  if (when !== undefined) return { spelt, when };
  throw new UsageError(`${option} is ${JSON.stringify(spelt)}; accepted: ${WHEN_ACCEPTS}.`);
}

export function readWorkers(value: string): number {
  const workers = /^[1-9]\d{0,2}$/.test(value) ? Number(value) : Number.NaN;
  if (workers <= MOST_WORKERS) return workers;
  throw new UsageError(
    `--workers is ${JSON.stringify(value)}; accepted: a whole number from 1 to ${MOST_WORKERS}.`,
  );
}

export function readPort(value: string): number {
  const port = portOf(value);
  if (port !== undefined) return port;
  throw new UsageError(`--port is ${JSON.stringify(value)}; accepted: ${PORTS}.`);
}

export const PORTS = `a whole number from 0 to ${LARGEST_PORT}`;

export function portOf(value: string): number | undefined {
  return /^\d{1,5}$/.test(value) && Number(value) <= LARGEST_PORT ? Number(value) : undefined;
}
