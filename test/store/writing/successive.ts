import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Oracle, oracle } from "../../oracle/oracle.ts";
import { organizationIds } from "../../oracle/facts.ts";
import { histories } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { exportedLines } from "../../exported.ts";
import { findingsIn } from "../../findings.ts";
import { type OpenPlace, PUBLIC_URL, World } from "../../world.ts";
import { compareAll } from "../listings/listings.ts";
import { revision } from "./imports.ts";
import { holds } from "../../setup/property.ts";

/** A state of the organizations, and the revision of each. */
interface Stage {
  readonly records: readonly SnapshotRecord[];
  readonly revisions: ReadonlyMap<string, number | undefined>;
}

/**
 * Imports a history, of which every state is written as a change of the stored generation; `before` runs before each
 * import. Returns the states.
 */
export async function importSuccessively(
  world: World,
  history: readonly (readonly SnapshotRecord[])[],
  before: (step: number) => void = () => {},
): Promise<Stage[]> {
  const stages: Stage[] = [];
  for (const [step, records] of history.entries()) {
    before(step);
    const isWhole = () => false;
    await world.import(records, { allowRemovals: true, allowEmpty: true, isWhole });
    const ids = organizationIds(records);
    const revisions = new Map<string, number | undefined>();
    for (const id of ids) revisions.set(id, await revision(world, id));
    stages.push({ records, revisions });
  }
  return stages;
}

/** Checks that every revision is whole, and that the log leads from each to the one before it. */
export async function mustVerify(world: World, records: readonly SnapshotRecord[]): Promise<void> {
  for (const id of organizationIds(records)) expect(await findingsIn(world.store, id)).toEqual([]);
}

/** Checks that an export has the order of a fresh import's, whatever the history. */
async function mustExportAsAnew(
  world: World,
  open: OpenPlace,
  records: readonly SnapshotRecord[],
): Promise<void> {
  const fresh = await World.open(open);
  try {
    await fresh.import(records, { allowEmpty: true });
    for (const id of organizationIds(records))
      expect(await exportedLines(world.store, id)).toEqual(await exportedLines(fresh.store, id));
  } finally {
    await fresh.close();
  }
}

/** Compares every `step`-th listing, at the revision of each stage. */
export async function comparePast(world: World, stages: readonly Stage[], step: number): Promise<void> {
  for (const { records, revisions } of stages) {
    const expected = oracle(records, { publicUrl: PUBLIC_URL });
    for (const [id, number] of revisions) {
      const token = await world.token(id);
      for (const listing of sampled(expected, id, step)) {
        const path = `/at/${number}${expected.path(id, listing)}`;
        expect(await world.walk(path, token, [1000]), path).toEqual(expected.list(id, listing));
      }
    }
  }
}

function sampled(expected: Oracle, id: string, step: number) {
  return expected.listings(id).filter((_, index) => index % step === 0);
}

/** Organizations that are written as changes answer like fresh imports of their states, at every revision. */
export function exerciseSuccessiveChanges(open: OpenPlace, runs: number, step: number): void {
  test("after any sequence of changes, every list equals the oracle's, now and as of each revision", async () => {
    await holds(
      fc.asyncProperty(
        histories({ maxOrganizations: 1, minMembers: 2, minContents: 3 }, 4),
        async (history) => {
          const world = await World.open(open);
          try {
            const stages = await importSuccessively(world, history);
            await mustVerify(world, history.at(-1) ?? []);
            await mustExportAsAnew(world, open, history.at(-1) ?? []);
            await compareAll(world, history.at(-1) ?? [], [2, 1000]);
            await comparePast(world, stages, step);
          } finally {
            await world.close();
          }
        },
      ),
      { numRuns: runs },
    );
  });
}
