import { exportLines } from "../src/snapshot/export.ts";
import { modelOf } from "../src/store/models.ts";
import type { Reader } from "../src/store/engine/engine.ts";
import type { Revision } from "../src/store/reading.ts";
import type { Store } from "../src/store/store.ts";
import { readConsistently } from "../src/store/revisions/consistent-read.ts";

/** The lines that `rolebook export` writes of the current revision of an organization. */
export function exportedLines(store: Store, organization: string): Promise<string[]> {
  return readConsistently(store, organization, (at, reader) => linesAt(store, at, reader));
}

/** The lines that it writes of a revision. */
export async function linesAt(store: Store, at: Revision, reader?: Reader): Promise<string[]> {
  return [...exportLines(await modelOf(store.reading(at, reader)))];
}
