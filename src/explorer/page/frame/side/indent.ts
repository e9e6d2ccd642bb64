/** The number of depths with a full indent, and of those with a smaller one. Below these, the indent stays the same. */
const WIDE = 4;
const CLOSE = 8;

/**
 * The indent in px of a line at a depth (1 for the top level). It is limited, so that part of a deep title stays
 * visible.
 */
export function indent(depth: number): number {
  const below = depth - 1;
  return 4 + 16 * Math.min(below, WIDE) + 3 * Math.max(0, Math.min(below - WIDE, CLOSE));
}
