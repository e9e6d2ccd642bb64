/** The counts by status, as one text. */
export function byStatus(counts: ReadonlyMap<number, number>): string {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return sorted.map(([status, count]) => `${status}: ${count.toLocaleString("en")}`).join(", ");
}
