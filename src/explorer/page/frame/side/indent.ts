/** The first `WIDE` depths are indented by 16 px each, the next `CLOSE` by 3 px each, deeper ones no further. */
const WIDE = 4;
const CLOSE = 8;

/**
 * The indent in px of a line at `depth` (1 is the top level). It is limited, so that part of a deep title stays
 * visible.
 */
export function indent(depth: number): number {
  const below = depth - 1;
  return 4 + 16 * Math.min(below, WIDE) + 3 * Math.max(0, Math.min(below - WIDE, CLOSE));
}
