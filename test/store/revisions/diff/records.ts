import { expect } from "vitest";
import { applyChange } from "../../../../src/snapshot/changes/apply.ts";
import { changeLines } from "../../../../src/snapshot/export.ts";
import { readChange } from "../../../../src/snapshot/changes/read.ts";
import type { Revision } from "../../../../src/store/reading.ts";
import { changedRecords } from "../../../../src/store/revisions/diff/log.ts";
import { linesAt } from "../../../exported.ts";
import { applied, type ChangeRecord } from "../../../oracle/files/change-file.ts";
import { byBytes } from "../../../oracle/order.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import type { World } from "../../../world.ts";

/** Checks that the changed records, applied to one state, give the other. */
export async function compareRecords({ store }: World, from: Revision, to: Revision): Promise<void> {
  const [earlier, later] = from.revision < to.revision ? [from, to] : [to, from];
  const records = await changedRecords(store.engine, earlier, later);
  const lines = [...changeLines(from.organization, records, earlier !== from)].slice(1);
  const changes = lines.map((line): ChangeRecord => JSON.parse(line));
  const outcome = applied(await exported(store, from), changes) ?? [];
  expect(sorted(outcome)).toEqual(sorted(await exported(store, to)));
}

/**
 * Applies the changed records with the program. Applied to the state at one revision, they give the other state, and
 * they fit no other.
 */
export async function applyRecords(world: World, from: Revision, to: Revision): Promise<void> {
  const { engine } = world.store;
  const [earlier, later] = from.revision < to.revision ? [from, to] : [to, from];
  const records = await changedRecords(engine, earlier, later);
  const lines = [...changeLines(from.organization, records, earlier !== from, from.revision)];
  const apply = async () => {
    const change = await readChange(world.file(lines.join("\n"), "records.ndjson"), false, () => {});
    return applyChange(engine, change, { allowRemovals: true });
  };
  await apply();
  const outcome = (await world.store.registry.organization(from.organization))?.current;
  if (outcome === undefined) throw new Error(`Organization ${from.organization} is gone.`);
  expect(sorted(await exported(world.store, outcome))).toEqual(sorted(await exported(world.store, to)));
  if (outcome.revision !== from.revision) await expect(apply()).rejects.toThrow(`${from.revision}`);
}

async function exported(store: World["store"], at: Revision): Promise<SnapshotRecord[]> {
  return (await linesAt(store, at)).map((line): SnapshotRecord => JSON.parse(line));
}

function sorted(records: readonly SnapshotRecord[]): string[] {
  return records
    .map((record) => JSON.stringify(Object.entries(record).sort(([a], [b]) => byBytes(a, b))))
    .sort(byBytes);
}
