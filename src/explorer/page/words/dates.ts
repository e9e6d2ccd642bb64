/** Times in the reader's format and time zone, and the days of date fields. */
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
/** British English abbreviates September as "Sept". */
const MONTH = new Intl.DateTimeFormat("en-US", { month: "short" });

function day(at: Date): string {
  return `${at.getDate()} ${MONTH.format(at)}`;
}

/** Formats a time as "14:02", in the reader's time zone. */
export function clock(at: number | string): string {
  return TIME.format(new Date(at));
}

/** Formats a date as "2 Sep 2026". */
export function date(at: string): string {
  const then = new Date(at);
  return `${day(then)} ${then.getFullYear()}`;
}

const FULL = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** Formats a time as "3 March 2026, 14:05". */
export function fullMoment(at: string): string {
  return `${FULL.format(new Date(at))}, ${clock(at)}`;
}

/** Formats a time as "today, 14:02" or "2 Sep, 14:02", with the year if it is not the current one. */
export function moment(at: string, now = new Date()): string {
  const then = new Date(at);
  if (then.toDateString() === now.toDateString()) return `today, ${clock(at)}`;
  return `${then.getFullYear() === now.getFullYear() ? day(then) : date(at)}, ${clock(at)}`;
}

/** Formats a time as "at 14:02" if it is today, else as "on 2 Sep, 14:02". */
export function when(at: string, now = new Date()): string {
  const text = moment(at, now);
  return text.startsWith("today, ") ? `at ${clock(at)}` : `on ${text}`;
}

/** The day of a time in the reader's time zone, as in the browser's date field: "2026-03-01". */
export function dayOf(at: string | Date): string {
  const then = new Date(at);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${String(then.getFullYear()).padStart(4, "0")}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
}

/** Adds days to a day; a negative number subtracts them. */
export function daysFrom(day: string, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return dayOf(new Date(year, month - 1, date + days));
}

/** The beginning of a day, ISO 8601 in UTC. Invalid text is returned unchanged, so that the server refuses it. */
export function beginOf(day: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/u.test(day) && !Number.isNaN(Date.parse(day));
  return isDay ? boundsOf(day).from : day;
}

/** The first and last millisecond of a day, ISO 8601 in UTC. */
export function boundsOf(day: string): { readonly from: string; readonly to: string } {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const at = (more: number) => new Date(year, month - 1, date + more).getTime();
  return { from: new Date(at(0)).toISOString(), to: new Date(at(1) - 1).toISOString() };
}
