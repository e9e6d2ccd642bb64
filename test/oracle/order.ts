/** Compares two texts by their UTF-8 bytes, ascending (docs/api.md). */
export function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left, "utf8"), Buffer.from(right, "utf8"));
}
