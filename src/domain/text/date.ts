/** Parses the dates of files and commands (contract, section 8). */

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
