/** Days as the browser's date field writes them, "2026-03-01", in the reader's time zone. */

/** The day of a time. */
export function dayOf(at: string | Date): string {
  const then = new Date(at);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${String(then.getFullYear()).padStart(4, "0")}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
}

/** The day that lies so many days behind another one. */
export function daysFrom(day: string, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return dayOf(new Date(year, month - 1, date + days));
}

/** When a day begins, ISO 8601 in UTC; a text that is no day as it is: the server says what is wrong with it. */
export function beginOf(day: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/u.test(day) && !Number.isNaN(Date.parse(day));
  return isDay ? boundsOf(day).from : day;
}

/** When a day begins and ends, ISO 8601 in UTC. */
export function boundsOf(day: string): { readonly from: string; readonly to: string } {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const at = (more: number) => new Date(year, month - 1, date + more).getTime();
  return { from: new Date(at(0)).toISOString(), to: new Date(at(1) - 1).toISOString() };
}
