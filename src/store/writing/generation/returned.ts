/**
 * Records that a whole file adds although `apply` removed them: a person who was removed at once, but not yet where the
 * file comes from.
 */
import { type Staging, statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import {
  keyOfRecord,
  RECORD_KINDS,
  type RecordChange,
  type RecordKind,
} from "../../../domain/record-change.ts";
import { recordColumns, recordOfRow, type RecordRow } from "../../schema/record-change.ts";
import { describe } from "../resolve/preview.ts";
import { type RecordDifference, type OrganizationChange, differing } from "./difference.ts";

/** The kinds of records that give access to somebody. */
const KINDS: readonly RecordKind[] = ["member", "teamMember", "permission"];

/** An added record, and the revision that removed it: its latest kept change. */
export interface Returned extends RecordDifference {
  readonly removed: { readonly revision: number; readonly importedAt: string };
}

/** Those among the records of a change of `now`. */
export async function returnedAmong(
  staging: Staging,
  now: Reading,
  records: readonly RecordChange[],
): Promise<Returned[]> {
  const { organization } = now.at;
  const came = records.filter(({ kind, was }) => was === undefined && KINDS.includes(kind));
  if (came.length === 0) return [];
  const removals = await removalsByApply(staging, organization);
  const returned = came.filter((record) => removals.has(keyOfRecord(record)));
  return (await describe(now, organization, returned)).flatMap((record) => withRemoval(record, removals));
}

/** Those among the staged differences. */
export async function returnedIn(
  staging: Staging,
  changes: readonly OrganizationChange[],
): Promise<Returned[]> {
  const removals = new Map<string, Removals>();
  for (const { organization, current, kinds } of changes) {
    if (current === undefined || KINDS.every((kind) => kinds[kind].added === 0)) continue;
    const removed = await removalsByApply(staging, organization);
    if (removed.size > 0) removals.set(organization, removed);
  }
  const returned: Returned[] = [];
  if (removals.size === 0) return returned;
  for await (const page of differing(staging)) {
    for (const each of page) {
      if (each.was === undefined) returned.push(...withRemoval(each, removals.get(each.organization)));
    }
  }
  return returned;
}

function withRemoval(record: RecordDifference, removals: Removals | undefined): Returned[] {
  const removed = removals?.get(keyOfRecord(record));
  return removed === undefined ? [] : [{ ...record, removed }];
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
