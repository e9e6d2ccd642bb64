/** The median, least and greatest of the rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Throws a RangeError for no values. */
export function spread(values: readonly number[]): Spread {
  if (values.length === 0) throw new RangeError("a spread of no values");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    min: at(0),
    max: at(sorted.length - 1),
  };
}

/** The value at a percentile; `of` is from 0 to 100. NaN for no values. */
export function percentile(values: readonly number[], of: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * of) / 100))] ?? Number.NaN;
}

/** Divides round by round, so that slow drift of the machine cancels out. */
export function ratio(ones: readonly number[], others: readonly number[]): number[] {
  return ones.flatMap((one, round) => {
    const other = others[round];
    return other === undefined ? [] : [one / other];
  });
}

/** Formats with three digits, or all digits before the point: `0.815`, `12.4`, `1,302`. */
export function few(value: number): string {
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString("en", { maximumFractionDigits: Math.min(digits, 2) });
}

/** Formats as `1.2 (1.1 to 1.3)`; one figure if all are equal. */
export function show({ median, min, max }: Spread): string {
  return min === max ? few(median) : `${few(median)} (${few(min)} to ${few(max)})`;
}
