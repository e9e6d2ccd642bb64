/** Milliseconds of each unit of a duration, the largest first. */
export const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

export type Unit = keyof typeof UNITS;

/** A duration such as `90d`, in milliseconds; `undefined` if `value` is malformed or has another unit than `units`. */
export function parseDuration(value: string, units: readonly Unit[]): number | undefined {
  const [, amount, letter] = /^(0|[1-9]\d{0,5})([a-z])$/.exec(value) ?? [];
  const unit = units.find((each) => each === letter);
  return unit === undefined ? undefined : Number(amount) * UNITS[unit];
}
