/** Depths with a full indent, and depths with a smaller one; deeper levels have the same indent. */
const WIDE = 4;
const CLOSE = 8;

/** The indent in px of a line at a depth, from 1, so that part of a deep title remains visible. */
export function indent(depth: number): number {
  const below = depth - 1;
  return 4 + 16 * Math.min(below, WIDE) + 3 * Math.max(0, Math.min(below - WIDE, CLOSE));
}
