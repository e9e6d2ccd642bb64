/** The past in rows: what is pruned, and whom it forgets. */
import { expect, test } from "vitest";
import { type Engine, statement } from "../../../src/store/engine/engine.ts";
import { forgetUser } from "../../../src/store/rows/forget.ts";
import { loadModel } from "../../../src/store/rows/load.ts";
import { prune } from "../../../src/store/rows/prune.ts";
import { ROW_TABLES } from "../../../src/store/rows/tables.ts";
import { findingsOf } from "../../../src/store/rows/verify.ts";
import { expectEqual } from "../../model/expect-equal.ts";
import { modelOf } from "../../model/model-of.ts";
import { factsOf } from "../../oracle/facts.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { stopClock } from "../../setup/clock.ts";
import { ownPlace } from "../../world.ts";
import { currentRevision, imported, loaded, withRows } from "./place.ts";
import { SMALL } from "./small.ts";

const MINUTE = 60_000;

const BEN = {
  object: "user",
  id: "ben",
  displayName: "Benedikt Quux",
  email: "quux@example.org",
} as const;
const ALL = SMALL.map((record) => (record.object === "user" && record.id === BEN.id ? BEN : record));
const WITHOUT_BEN = ALL.filter((record) => record !== BEN && !("user" in record && record.user === "ben"));
const RENAMED = ALL.map((record): SnapshotRecord =>
  record === BEN ? { ...BEN, displayName: "Ben Quux" } : record,
);
const RESTORED = WITHOUT_BEN.filter(({ object }) => object !== "siteSpace");

const KEEP = statement<never>(() => "UPDATE counter SET value = $1 WHERE name = 'history'");
const COUNTED = ["record_change", "revision_row", ...ROW_TABLES.map(({ name }) => name)].map((table) =>
  statement<[table: string, rows: number]>(
    () => `SELECT '${table}', count(*) FROM ${table} WHERE generation = $1`,
  ),
);

async function rowsOf(engine: Engine, generation: number): Promise<Record<string, number>> {
  const counts = await Promise.all(COUNTED.map((counted) => engine.read(counted, generation)));
  return Object.fromEntries(counts.flat().map(([table, rows]) => [table, Number(rows)]));
}

/** Prunes until what imports and the pruning itself made unreadable is no longer needed by running reads. */
async function pruned(engine: Engine, pass: (milliseconds: number) => void): Promise<void> {
  for (let times = 0; times < 3; times++) {
    await engine.importing(
      (staging) => prune(engine, staging),
      () => {},
    );
    pass(2 * MINUTE);
  }
}

test("what is outside the history is deleted, and nothing else", async () => {
  const pass = stopClock();
  await withRows(ownPlace, async (engine) => {
    await engine.transaction(async (connection) => void (await connection.write(KEEP, 15 * MINUTE)));
    const states = [ALL, RENAMED, WITHOUT_BEN, RESTORED, ALL];
    const past = [];
    for (const [index, state] of states.entries()) {
      await imported(engine, state, () => index === 2);
      past.push({ at: await currentRevision(engine, "o"), facts: factsOf(state, "o") });
      pass(6 * MINUTE);
    }
    const [first, , third, fourth] = past.map(({ at }) => at);
    expect(first?.generation).toBeLessThan(third?.generation ?? 0);
    await pruned(engine, pass);
    // 15 minutes ago, the third was the current one.
    for (const { at, facts } of past.slice(0, 2)) {
      await expect(loadModel(engine, at)).rejects.toThrow("are not there");
      expect(facts.members.size).toBe(2);
    }
    for (const { at, facts } of past.slice(2)) expectEqual((await loaded(engine, at)).model, modelOf(facts));
    const gone = await rowsOf(engine, first?.generation ?? 0);
    expect(Object.values(gone)).toEqual(Object.keys(gone).map(() => 0));
    pass(60 * MINUTE);
    await pruned(engine, pass);
    await expect(loadModel(engine, fourth ?? raise())).rejects.toThrow("are not there");
    expect(await rowsOf(engine, third?.generation ?? 0)).toEqual({
      record_change: 0,
      revision_row: 1,
      member_row: 2,
      content_row: 2,
      team_row: 1,
      site_row: 1,
    });
    expect(await findingsOf(engine, "o")).toEqual([]);
  });
});

function raise(): never {
  throw new Error("There is no such revision.");
}

const QUUX = statement<[found: number]>(
  () => `
    SELECT count(*) FROM (
      SELECT r.profile AS said FROM member_row r UNION ALL SELECT c.was FROM record_change c
        UNION ALL SELECT c.becomes FROM record_change c) all_said WHERE lower(all_said.said) LIKE '%quux%'`,
);

test("a former member is forgotten in every revision, which stay whole", async () => {
  await withRows(ownPlace, async (engine) => {
    const past = [];
    for (const [index, state] of [ALL, RENAMED, WITHOUT_BEN, ALL, WITHOUT_BEN].entries()) {
      await imported(engine, state, () => index === 2);
      past.push({ at: await currentRevision(engine, "o"), state });
      const refused = forgetUser(engine, "o", "ben", () => {});
      if (state !== WITHOUT_BEN)
        await expect(refused).rejects.toThrow("ben is a member of organization o now");
      else if (index === 4) expect(await refused).toBeGreaterThan(0);
      else await refused;
    }
    await expect(forgetUser(engine, "o", "zoe", () => {})).rejects.toThrow('no user "zoe" in the past');
    expect(await forgetUser(engine, "o", "ben", () => {})).toBe(0);
    expect(Number((await engine.read(QUUX))[0]?.[0])).toBe(0);
    for (const { at, state } of past) {
      const forgotten = state.map((record): SnapshotRecord =>
        record.object === "user" && record.id === "ben"
          ? { object: "user", id: "ben", displayName: "ben" }
          : record,
      );
      expectEqual((await loaded(engine, at)).model, modelOf(factsOf(forgotten, "o")));
      expect(await findingsOf(engine, at.organization)).toEqual([]);
    }
  });
});
