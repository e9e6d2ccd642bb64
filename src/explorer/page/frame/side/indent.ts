/** Depths with an indent of their own, and those that come closer; below them the indent is the same. */
const WIDE = 4;
const CLOSE = 8;

/** Of a line's text at a depth, 1 for the top, in px: something of a deep title remains. */
export function indent(depth: number): number {
  const below = depth - 1;
  return 4 + 16 * Math.min(below, WIDE) + 3 * Math.max(0, Math.min(below - WIDE, CLOSE));
}
