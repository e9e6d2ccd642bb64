import { expect } from "vitest";
import { changeLines } from "../../src/snapshot/changes/lines.ts";
import { exportLines } from "../../src/snapshot/export.ts";
import type { Revision } from "../../src/store/reading.ts";
import { changedRecords } from "../../src/store/revisions/diff/log.ts";
import { applied, type ChangeRecord } from "../oracle/change-file.ts";
import { byBytes } from "../oracle/order.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import type { World } from "../world.ts";

/** The changed records, applied to the one state, give the other. */
export async function compareRecords({ store }: World, from: Revision, to: Revision): Promise<void> {
  const [earlier, later] = from.revision < to.revision ? [from, to] : [to, from];
  const records = await changedRecords(store.engine, earlier, later);
  const lines = [...changeLines(from.organization, records, earlier !== from)].slice(1);
  const changes = lines.map((line): ChangeRecord => JSON.parse(line));
  const outcome = applied(await exported(store, from), changes) ?? [];
  expect(sorted(outcome)).toEqual(sorted(await exported(store, to)));
}

async function exported({ engine }: World["store"], at: Revision): Promise<SnapshotRecord[]> {
  const found: SnapshotRecord[] = [];
  for await (const line of exportLines(engine, at)) found.push(JSON.parse(line));
  return found;
}

function sorted(records: readonly SnapshotRecord[]): string[] {
  return records
    .map((record) => JSON.stringify(Object.entries(record).sort(([a], [b]) => byBytes(a, b))))
    .sort(byBytes);
}
