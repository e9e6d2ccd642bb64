/** Depths with an indent of their own; those below come closer, so that something of their titles remains. */
const WIDE = 5;

/** Of a line's text at a depth, 1 for the top, in px. */
export function indent(depth: number): number {
  return 4 + 16 * Math.min(depth - 1, WIDE) + 3 * Math.max(0, depth - 1 - WIDE);
}
