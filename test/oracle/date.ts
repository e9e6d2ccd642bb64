const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d+))?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * An RFC 3339 date as answers send it: in UTC with three fraction digits, of which further digits are cut, not rounded
 * (docs/api.md and docs/snapshot.md). Throws on anything else.
 */
export function utc(date: string): string {
  const [, day, time, fraction = "", offset] = RFC_3339.exec(date) ?? [];
  if (day === undefined || time === undefined || offset === undefined) throw new Error(`no date: ${date}`);
  const milliseconds = fraction.padEnd(3, "0").slice(0, 3);
  return new Date(`${day}T${time}.${milliseconds}${offset.toUpperCase()}`).toISOString();
}
