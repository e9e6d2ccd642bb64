export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Throws a RangeError for no values. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || min === undefined || max === undefined) {
    throw new RangeError("a spread of no values");
  }
  return { median: (low + high) / 2, min, max };
}

/** Formats as `1.00 (0.98 to 1.03)`. */
export function show({ median, min, max }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
}

/** The value at a percentile; `of` is from 0 to 100. NaN for no values. */
export function percentile(values: readonly number[], of: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * of) / 100))] ?? Number.NaN;
}
