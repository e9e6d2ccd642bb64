const FORMAT = new Intl.NumberFormat("en-GB");

/** Formats 1275 as "1,275". */
export function figure(value: number): string {
  return FORMAT.format(value);
}

/** A number with its noun, such as "1 space" or "14 spaces". */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${figure(value)} ${value === 1 ? one : many}`;
}

/** A percentage, such as "11 %"; "<1 %" if it would round to 0, "" for 0. */
export function share(part: number, whole: number): string {
  if (part === 0 || whole === 0) return "";
  const percent = Math.round((100 * part) / whole);
  if (percent === 0) return "<1 %";
  // Less than the whole is never shown as 100 %.
  return percent === 100 && part < whole ? ">99 %" : `${percent} %`;
}
