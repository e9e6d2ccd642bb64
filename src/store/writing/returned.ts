/**
 * Records that a whole file adds although `apply` removed them: a person who was removed at once, but not yet where the
 * file comes from.
 */
import { type Staging, statement } from "../engine/engine.ts";
import { keyOfRecord, RECORD_KINDS, type RecordKind } from "../../domain/record-change.ts";
import { recordColumns, recordOfRow, type RecordRow } from "../schema/record-change.ts";
import type { RecordDifference, OrganizationChange } from "./organization-change.ts";

/** The kinds of records that give access to somebody. */
const KINDS: readonly RecordKind[] = ["member", "teamMember", "permission"];

/** An added record, and the revision that removed it: its latest kept change. */
export interface Returned extends RecordDifference {
  readonly removed: { readonly revision: number; readonly importedAt: string };
}

/** Those among the records of an organization that differ, which `differences` lists with names. */
export async function returnedIn(
  staging: Staging,
  { organization, current, kinds }: OrganizationChange,
  differences: () => AsyncIterable<readonly RecordDifference[]>,
): Promise<Returned[]> {
  const returned: Returned[] = [];
  if (current === undefined || KINDS.every((kind) => kinds[kind].added === 0)) return returned;
  const removals = await removalsByApply(staging, organization);
  if (removals.size === 0) return returned;
  for await (const page of differences()) {
    for (const each of page) {
      const removed = each.was === undefined ? removals.get(keyOfRecord(each)) : undefined;
      if (removed !== undefined) returned.push({ ...each, removed });
    }
  }
  return returned;
}

type Removals = ReadonlyMap<string, Returned["removed"]>;

const REVISIONS = statement<[revision: number, generation: number, importedAt: string, command: string]>(
  () => `
    SELECT r.revision, r.generation, r.imported_at, r.command FROM revision r
      WHERE r.organization = $1 ORDER BY r.revision`,
);

const REMOVALS = statement<[revision: number, ...record: RecordRow]>(
  () => `
    SELECT c.revision, ${recordColumns("c")} FROM record_change c
      WHERE c.generation = $1 AND c.becomes IS NULL
        AND c.kind IN (${KINDS.map((kind) => RECORD_KINDS.indexOf(kind)).join(", ")})
      ORDER BY c.revision, c.number`,
);

/**
 * The latest kept removal of each record, if `apply` made it. Of a record that does not exist, the latest change is a
 * removal, so no other changes need be read. Reads nothing of the log if no kept revision is one of `apply`.
 */
async function removalsByApply(staging: Staging, organization: string): Promise<Removals> {
  const revisions = new Map<number, { readonly importedAt: string; readonly isApplied: boolean }>();
  /** The first revision of each generation, which the log calls 0. */
  const generations = new Map<number, number>();
  for await (const [revision, generation, importedAt, command] of staging.stream(REVISIONS, organization)) {
    revisions.set(revision, { importedAt, isApplied: command === "apply" });
    if (!generations.has(generation)) generations.set(generation, revision);
  }
  const removals = new Map<string, Returned["removed"]>();
  if (![...revisions.values()].some(({ isApplied }) => isApplied)) return removals;
  for (const [generation, first] of generations) {
    for await (const [logged, ...record] of staging.stream(REMOVALS, generation)) {
      const revision = logged === 0 ? first : logged;
      const made = revisions.get(revision);
      const key = keyOfRecord(recordOfRow(record));
      if (made?.isApplied === true) removals.set(key, { revision, importedAt: made.importedAt });
      else removals.delete(key);
    }
  }
  return removals;
}
