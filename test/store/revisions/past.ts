import * as fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { sweep } from "../../../src/store/rows/prune.ts";
import { linesAt } from "../../exported.ts";
import { changeHistory } from "../../../src/store/revisions/history.ts";
import { readConsistently } from "../../../src/store/revisions/consistent-read.ts";
import { listOrganizations } from "../../../src/store/revisions/organizations.ts";
import { organizationIds } from "../../oracle/facts.ts";
import { histories } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import type { OpenPlace, World } from "../../world.ts";
import { endedRows } from "./ended.ts";
import { never, opened, SMALL } from "../writing/imports.ts";
import { compareAll } from "../listings/listings.ts";
import { holds } from "../../setup/property.ts";

/** The imported records, and the revision of each organization after the import. */
interface State {
  readonly records: readonly SnapshotRecord[];
  readonly revisions: ReadonlyMap<string, number>;
}

/** Reads the past of `runs` random histories. */
export function exercisePast(open: OpenPlace, runs: number): void {
  test("every listing and export as of every revision equals the oracle's", async () => {
    await holds(
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

  test("a pruning leaves the earliest revision complete, including rows that ended right after it", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    await using world = await opened(open);
    const { engine } = world.store;
    const named = (name: string) =>
      SMALL.map((record) => (record.object === "user" ? { ...record, displayName: name } : record));
    const isWhole = () => false;
    for (const [day, name] of ["one", "two", "three"].entries()) {
      vi.setSystemTime(START + day * DAY);
      await world.import(named(name), { isWhole });
    }
    const organization = await world.store.registry.organization("o");
    const second = organization && (await world.store.registry.past.byNumber(organization, 2));
    await engine.importing(async (staging) => {
      await changeHistory(engine, staging, Date.now() - Date.parse(second?.importedAt ?? ""));
      await sweep(staging, -1);
    }, never);
    expect(await namesAt(world, 1)).toContain("the earliest is 2 (");
    expect(await namesAt(world, 2)).toContain('"displayName":"two"');
    expect(await namesAt(world, 3)).toContain('"displayName":"three"');
    expect(await endedRows(world)).toEqual([]);
  });

  test("a pruning deletes revisions beyond the history, and nothing else", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      await holds(
        fc.asyncProperty(
          histories({ maxOrganizations: 2 }, 3),
          fc.nat({ max: 3 }),
          fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
          async (history, from, anew) => {
            await using world = await opened(open);
            const { engine } = world.store;
            const states: State[] = [];
            for (const [day, records] of history.entries()) {
              vi.setSystemTime(START + day * DAY);
              const isWhole = () => anew[day] === true;
              await world.import(records, { allowRemovals: true, allowEmpty: true, isWhole });
              states.push({ records, revisions: await revisionsOf(world) });
            }
            // The history reaches back to half a day after the earliest revision that is kept.
            vi.setSystemTime(START + history.length * DAY);
            const kept = (history.length - from) * DAY - DAY / 2;
            await engine.importing((staging) => changeHistory(engine, staging, kept), never);
            await compareKept(world, states, from);
            await engine.importing((staging) => sweep(staging, -1), never);
            await compareKept(world, states, from);
            expect(await endedRows(world)).toEqual([]);
          },
        ),
        { numRuns: Math.ceil(runs / 2) },
      );
    } finally {
      vi.useRealTimers();
    }
  });
}

/** A listing with the names of members, at a revision. */
async function namesAt(world: World, revision: number): Promise<string> {
  const token = await world.token("o");
  return (await world.get(`/at/${revision}/v1/spaces/s/permissions/aggregate`, token)).body;
}

/** Up to how many differences an import is written as a change: never (0) or always. */

const START = Date.parse("2026-01-01T12:00:00Z");
const DAY = 24 * 60 * 60_000;

/** Checks that the states before `from` are gone, and that all others are complete. */
async function compareKept(world: World, states: readonly State[], from: number): Promise<void> {
  const kept = states[from];
  for (const state of states) {
    for (const [organization, revision] of state.revisions) {
      const earliest = kept?.revisions.get(organization) ?? 0;
      if (revision >= earliest) continue;
      const path = `/at/${revision}/v1/orgs/${organization}/members/x/teams`;
      const { status, body } = await world.get(path, await world.token(organization));
      expect([status, body]).toEqual([404, expect.stringContaining(`the earliest is ${earliest} (`)]);
    }
  }
  for (const state of states.slice(from)) await comparePast(world, state);
}

/** Walks the listings of a state, and compares them with the oracle's. */
async function comparePast(world: World, { records, revisions }: State): Promise<void> {
  await compareAll(world, records, [3], 2, (organization) => String(revisions.get(organization)));
}

async function revisionsOf({ store }: World): Promise<Map<string, number>> {
  const revisions = new Map<string, number>();
  for (const { organization, revision } of await listOrganizations(store.engine)) {
    revisions.set(organization, revision);
  }
  return revisions;
}

/** The records of a state, as `export --at` writes them. A user of two organizations occurs once. */
async function exported({ store }: World, { records, revisions }: State): Promise<SnapshotRecord[]> {
  const lines = new Set<string>();
  for (const id of organizationIds(records)) {
    const revision = revisions.get(id) ?? 0;
    await readConsistently(
      store,
      id,
      async (at, reader) => {
        for (const line of await linesAt(store, at, reader)) lines.add(line);
      },
      { spelt: String(revision), when: { kind: "revision", revision } },
    );
  }
  return [...lines].map((line): SnapshotRecord => JSON.parse(line));
}
