/** Of a line's text at a depth, in px; deep levels come closer so that something of the title remains. */
export function indent(depth: number): number {
  return 4 + 16 * Math.min(depth - 1, 6) + 4 * Math.max(0, depth - 7);
}
