import { exportLines } from "../src/snapshot/export.ts";
import { readConsistently } from "../src/store/revisions/consistent-read.ts";
import type { Store } from "../src/store/store.ts";

/** The lines that `rolebook export` writes of the current revision of an organization. */
export function exportedLines(store: Store, organization: string): Promise<string[]> {
  return readConsistently(store, organization, async (at, reader) => {
    const lines: string[] = [];
    for await (const line of exportLines(reader, at)) lines.push(line);
    return lines;
  });
}
