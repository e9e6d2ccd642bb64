import * as fc from "fast-check";
import { test } from "vitest";
import { exportLines } from "../../src/snapshot/export.ts";
import { atOneMoment } from "../../src/store/moment.ts";
import { listOrganizations } from "../../src/store/organizations.ts";
import { organizationIds } from "../oracle/facts.ts";
import { histories } from "../oracle/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import type { OpenPlace, World } from "../world.ts";
import { opened } from "./imports.ts";
import { compareAll } from "./listings.ts";

/** What was imported, and the revision of each organization after it. */
interface State {
  readonly records: readonly SnapshotRecord[];
  readonly revisions: ReadonlyMap<string, number>;
}

/** What every store must tell of the past, tried on `runs` random histories. */
export function exercisePast(open: OpenPlace, runs: number): void {
  test("every listing as of every revision is the oracle's of that state, and so is what is exported of it", async () => {
    await fc.assert(
      fc.asyncProperty(histories({ maxOrganizations: 2 }, 3), fc.nat(), async (history, which) => {
        await using world = await opened(open);
        const states: State[] = [];
        for (const records of history) {
          await world.import(records);
          states.push({ records, revisions: await revisionsOf(world) });
        }
        for (const state of states) await comparePast(world, state);
        const state = states[which % states.length];
        if (state === undefined) return;
        await using copy = await opened(open);
        await copy.import(await exported(world, state));
        await compareAll(copy, state.records, [1000], 2);
      }),
      { numRuns: runs },
    );
  });
}

/** Walks what held in a state, and compares it with the oracle's. */
async function comparePast(world: World, { records, revisions }: State): Promise<void> {
  await compareAll(world, records, [3], 2, (organization) => String(revisions.get(organization)));
}

async function revisionsOf({ store }: World): Promise<Map<string, number>> {
  const revisions = new Map<string, number>();
  for (const { organization, revision } of await listOrganizations(store.engine, store.registry)) {
    revisions.set(organization, revision);
  }
  return revisions;
}

/** The records of a state, as `export --at` writes them; a user of two organizations is described once. */
async function exported({ store }: World, { records, revisions }: State): Promise<SnapshotRecord[]> {
  const lines = new Set<string>();
  for (const id of organizationIds(records)) {
    const revision = revisions.get(id) ?? 0;
    await atOneMoment(
      store,
      id,
      async (at, reader) => {
        for await (const line of exportLines(reader, at)) lines.add(line);
      },
      { spelt: String(revision), when: { kind: "revision", revision } },
    );
  }
  return [...lines].map((line): SnapshotRecord => JSON.parse(line));
}
