/** Days in the reader's time zone, written as in the browser's date field: "2026-03-01". */

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
