/** Blocks grow up to so many candidates: a page of 1000 comes out of one, and others wait some milliseconds for it. */
const LARGEST = 1536;

/**
 * How many candidates to take so that `wanted` of them come out, if `part` of them does (0 to 1), with some to spare.
 */
export function blockSize(wanted: number, part: number): number {
  if (part === 1) return wanted;
  return part > 0 ? Math.min(LARGEST, Math.ceil((1.1 * wanted) / part) + 4) : LARGEST;
}
