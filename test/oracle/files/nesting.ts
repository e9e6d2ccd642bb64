import type { SnapshotRecord } from "../records.ts";

/** The largest depth of nested collections (docs/snapshot.md). */
export const DEEPEST = 32;

/** The length of the longest chain of collections; more than `DEEPEST` if there is a cycle. */
export function deepest(records: readonly SnapshotRecord[]): number {
  const parents = new Map(
    records.flatMap((record) => (record.object === "collection" ? [[record.id, record.parent]] : [])),
  );
  let longest = 0;
  for (const start of parents.keys()) {
    let length = 0;
    let here: string | undefined = start;
    while (here !== undefined && length <= DEEPEST) {
      length += 1;
      here = parents.get(here);
    }
    longest = Math.max(longest, length);
  }
  return longest;
}
