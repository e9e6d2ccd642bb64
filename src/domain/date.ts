/** Dates and times of files and commands (docs/snapshot.md), and WHEN, the text that names a past revision (docs/past.md). */

const DATE = /^\d{4}-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

const NORMAL = "2025-03-01T09:30:00.000Z";

export const DATE_TIME_ACCEPTS = "an RFC 3339 date and time with an offset, such as 2025-03-01T09:30:00Z";

/**
 * The date in UTC with three fraction digits; more digits are cut off. `undefined` for a text that is not an RFC 3339
 * date.
 */
export function normaliseDate(value: string): string | undefined {
  const match = DATE.exec(value);
  if (match === null) return undefined;
  const [, month, day, hour, minute, second] = match.map(Number);
  if (month === undefined || day === undefined || hour === undefined) return undefined;
  const year = Number(value.slice(0, 4));
  if (day < 1 || day > daysIn(year, month) || hour > 23 || (minute ?? 60) > 59 || (second ?? 60) > 59)
    return undefined;
  // Fast path: most dates have this form already, and the pattern and the checks above have accepted all their parts.
  if (value.length === NORMAL.length && value[10] === "T" && value.endsWith("Z")) return value;
  const date = new Date(value.toUpperCase().replace(/(\.\d{3})\d+/, "$1"));
  if (Number.isNaN(date.getTime())) return undefined;
  const iso = date.toISOString();
  return /^\d{4}-/.test(iso) ? iso : undefined;
}

function daysIn(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** A day means its end in UTC, 23:59:59.999. Times are ISO 8601 in UTC. */
export type When =
  | { readonly kind: "revision"; readonly revision: number }
  | { readonly kind: "day"; readonly from: string; readonly to: string }
  | { readonly kind: "time"; readonly time: string };

/** `spelt` is the text as the user wrote it. */
export interface SpeltWhen {
  readonly spelt: string;
  readonly when: When;
}

export const WHEN_ACCEPTS = `the number of a revision, such as 41, a day, such as 2026-03-01, or ${DATE_TIME_ACCEPTS}`;

const NUMBER = /^[1-9][0-9]{0,15}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Whether a text is a day that exists, such as 2026-03-01. */
export function isDay(text: string): boolean {
  return parseWhen(text)?.kind === "day";
}

/** `undefined` for a malformed text. */
export function parseWhen(text: string): When | undefined {
  if (NUMBER.test(text)) return { kind: "revision", revision: Number(text) };
  if (!DAY.test(text)) {
    const time = normaliseDate(text);
    return time === undefined ? undefined : { kind: "time", time };
  }
  const from = normaliseDate(`${text}T00:00:00.000Z`);
  return from === undefined ? undefined : { kind: "day", from, to: `${text}T23:59:59.999Z` };
}
