import * as fc from "fast-check";

import { added } from "./added.ts";
import { changed } from "./changed.ts";
import { type Edit, edit } from "./edit.ts";
import { byBytes } from "../order.ts";
import { fresh, pick } from "./pick.ts";
import { prune } from "./prune.ts";
import type { SnapshotRecord } from "../records.ts";
import { shuffle } from "./shuffle.ts";

/** Makes a later valid snapshot from a valid one. */
export type Evolution = (records: readonly SnapshotRecord[]) => SnapshotRecord[];

/**
 * Random evolutions. They do not depend on the records, so that both shrink. Records that stay keep their ids and
 * `createdAt`, and every organization stays. More than a fifth of the records may be removed, so import with
 * `--allow-removals`.
 */
export const evolution: fc.Arbitrary<Evolution> = fc
  .record({ edits: fc.array(edit, { minLength: 1, maxLength: 16 }), seed: fc.nat() })
  .map(
    ({ edits, seed }): Evolution =>
      (records) =>
        shuffle(
          edits.reduce<readonly SnapshotRecord[]>((now, next) => apply(now, next, records), sorted(records)),
          seed,
        ),
  );

/** A random later version of the same organizations (see {@link evolution}). */
export function evolve(records: readonly SnapshotRecord[]): fc.Arbitrary<SnapshotRecord[]> {
  return evolution.map((evolution) => evolution(records));
}

/**
 * The same records in organizations with other ids; each user has another name and no e-mail address. They can be
 * imported into the same database.
 */
export function renamed(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  const ids = records.flatMap((record) => (record.object === "organization" ? record.id : []));
  const taken = new Set(ids);
  const names = new Map(ids.map((id) => [id, fresh(id, taken)]));
  const nameOf = (id: string) => names.get(id) ?? id;
  return records.map((record): SnapshotRecord => {
    if (record.object === "organization") return { ...record, id: nameOf(record.id) };
    if (record.object === "user") {
      return { object: "user", id: record.id, displayName: `${record.displayName} elsewhere` };
    }
    return "organization" in record ? { ...record, organization: nameOf(record.organization) } : record;
  });
}

/**
 * Sorts records in an order that depends only on the records, so that an edit changes the same record in a shuffled
 * file.
 */
function sorted(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  const lines = new Map(records.map((record) => [record, JSON.stringify(record)]));
  const lineOf = (record: SnapshotRecord) => lines.get(record) ?? "";
  return [...records].sort((left, right) => byBytes(lineOf(left), lineOf(right)));
}

function apply(
  records: readonly SnapshotRecord[],
  edit: Edit,
  first: readonly SnapshotRecord[],
): SnapshotRecord[] {
  if (edit.action === "change") return changed(records, edit);
  if (edit.action === "add") return added(records, edit, first);
  const gone = pick(
    records.filter(({ object }) => object === edit.kind),
    edit.at,
  );
  const isGone = (record: SnapshotRecord) =>
    record === gone || (record.object === "user" && gone?.object === "user" && record.id === gone.id);
  return prune(records.filter((record) => !isGone(record)));
}
