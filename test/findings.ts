import { readConsistently } from "../src/store/revisions/consistent-read.ts";
import { type Finding, findingsOf } from "../src/store/rows/verify.ts";
import type { Store } from "../src/store/store.ts";

/** What `rolebook verify` finds in an organization. */
export function findingsIn(store: Store, organization: string): Promise<Finding[]> {
  return readConsistently(store, organization, (_, reader) => findingsOf(reader, organization));
}
