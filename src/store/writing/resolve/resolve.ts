/** Resolves the records of a change file to changes of stored records (contract, section 11). */
import type { Reading } from "../../reading.ts";
import type { StoredChange } from "../change/record-change.ts";
import type { Edits } from "./edits.ts";
import type { Fault } from "./checks/fault.ts";
import { presentOf } from "./lookup/mentioned.ts";
import { nestingFaults } from "./checks/nesting.ts";
import { recordChanges } from "./record-changes.ts";
import { referenceFaults } from "./checks/references.ts";
import { resolveRemovals } from "./removals.ts";
import { noCounts, type CountsByKind } from "./record-counts.ts";

export interface Resolved {
  readonly faults?: undefined;
  readonly title: string;
  readonly records: readonly StoredChange[];
  readonly counts: CountsByKind;
}

export type Resolution = { readonly faults: readonly Fault[] } | Resolved;

/** Resolves edits against one revision. `title` is the organization's title at this revision. */
export async function resolve(at: Reading, title: string, edits: Edits): Promise<Resolution> {
  const present = await presentOf(at, edits);
  const { along, faults: kept } = await resolveRemovals(at, edits, present);
  const faults = [...referenceFaults(edits, present), ...kept];
  // Nesting can only be checked if all parents exist.
  const found = faults.length > 0 ? faults : await nestingFaults(at, edits, present);
  if (found.length > 0) return { faults: found.toSorted((one, other) => one.line - other.line) };
  const counts = noCounts();
  const after = edits.title?.title ?? title;
  if (edits.title !== undefined) counts.organization[after === title ? "unchanged" : "changed"]++;
  return { title: after, records: recordChanges(edits, present, along, counts), counts };
}
