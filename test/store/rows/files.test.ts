/** Whole files are written as rows, from which every revision is loaded as its records are. */
import { Readable } from "node:stream";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { RecordChange } from "../../../src/domain/record-change.ts";
import { applyChange } from "../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../src/snapshot/changes/read.ts";
import { textOf } from "../../../src/snapshot/staging.ts";
import { type Staging, statement } from "../../../src/store/engine/engine.ts";
import type { Revision } from "../../../src/store/reading.ts";
import type { IsWhole } from "../../../src/store/writing/file/write-file.ts";
import { findingsOf } from "../../../src/store/rows/verify.ts";
import { recordColumns, recordOfRow, type RecordRow } from "../../../src/store/schema/record-change.ts";
import type { OrganizationChange, RecordDifference } from "../../../src/store/writing/organization-change.ts";
import { expectEqual } from "../../model/expect-equal.ts";
import { modelOf } from "../../model/model-of.ts";
import { type Facts, factsOf, organizationIds } from "../../oracle/facts.ts";
import { histories } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { stopClock } from "../../setup/clock.ts";
import { ownPlace, World } from "../../world.ts";
import { replaced } from "../engine/statements/replaced.ts";
import { isIn, LONG, MANY } from "./long-lists.ts";
import { currentRevision, imported, loaded, titledById, withRows } from "./place.ts";
import { holds } from "../../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);

const WAYS: readonly (IsWhole | undefined)[] = [() => true, () => false, undefined];

test("random histories of files, loaded as of each revision", async () => {
  await withRows(ownPlace, async (engine) => {
    let tried = 0;
    const ways = fc.array(fc.constantFrom(...WAYS), { minLength: 4, maxLength: 4 });
    await holds(
      fc.asyncProperty(histories({}, 3), ways, async (drawn, isWhole) => {
        tried++;
        const states = drawn.map((state) => renamed(titledById(state), `${tried}-`).map(inForm));
        const past: (readonly [Revision, Facts])[] = [];
        for (const [index, state] of states.entries()) {
          await imported(engine, state, isWhole[index]);
          for (const id of organizationIds(state))
            past.push([await currentRevision(engine, id), factsOf(state, id)]);
        }
        for (const [at, facts] of past) {
          expectEqual((await loaded(engine, at)).model, modelOf(facts));
          expect(await findingsOf(engine, at.organization)).toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

test("lists that go on in parts", async () => {
  await withRows(ownPlace, async (engine) => {
    const without = (...stretches: (readonly [number, number, boolean])[]) =>
      LONG.filter((record) => !isIn(record, stretches));
    const none = without([0, MANY, true], [0, MANY, false]);
    const states = [LONG, without([100, 900, true], [600, 700, false]), without([0, 650, false]), LONG, none];
    const past: (readonly [Revision, Facts])[] = [];
    for (const [index, state] of states.entries()) {
      await imported(engine, state, () => index === 2);
      past.push([await currentRevision(engine, "o"), factsOf(state, "o")]);
    }
    for (const [at, facts] of past) expectEqual((await loaded(engine, at)).model, modelOf(facts));
  });
});

test.each([
  ["in place", false],
  ["as a new generation", true],
])("an import that dies while it writes %s leaves nothing that anybody sees", async (_, isWhole) => {
  await withRows(ownPlace, async (engine) => {
    const [first, second] = [LONG, LONG.filter((record) => !isIn(record, STRETCHES))];
    await imported(engine, first);
    const before = await currentRevision(engine, "o");
    let [steps, isDone] = [0, false];
    for (; !isDone; steps++) {
      const dying = imported(
        engine,
        second,
        () => isWhole,
        async (staging) => dyingAfter(staging, steps),
      );
      isDone = await dying.then(
        () => true,
        (error: unknown) => {
          // PostgreSQL's engine takes it for a lost connection.
          const cause = error instanceof Error ? (error.cause ?? error) : error;
          if (cause instanceof Died) return false;
          throw error;
        },
      );
      if (isDone) continue;
      expect(await currentRevision(engine, "o")).toEqual(before);
      expectEqual((await loaded(engine, before)).model, modelOf(factsOf(first, "o")));
    }
    expect(steps).toBeGreaterThan(4);
    const after = await currentRevision(engine, "o");
    expectEqual((await loaded(engine, before)).model, modelOf(factsOf(first, "o")));
    expectEqual((await loaded(engine, after)).model, modelOf(factsOf(second, "o")));
    const written = [after.revision, ...(isWhole ? [0] : [])];
    for (const [logged] of await engine.read(LOGGED, before.revision, after.generation))
      expect(written).toContain(logged);
  });
});

test("a change after an import that died while it wrote in place is one of the state before it", async () => {
  await withRows(ownPlace, async (engine) => {
    const second = LONG.filter((record) => !isIn(record, STRETCHES));
    await imported(engine, LONG);
    let state = LONG;
    for (const steps of [2, 3]) {
      const dying = imported(
        engine,
        second,
        () => false,
        async (staging) => dyingAfter(staging, steps),
      );
      await expect(dying).rejects.toThrow();
      // The import removes these records.
      const flipped: SnapshotRecord[] = [];
      state = state.map((record): SnapshotRecord => {
        if (record.object !== "teamMember" || !isIn(record, STRETCHES)) return record;
        const other: SnapshotRecord = { ...record, role: record.role === "owner" ? "member" : "owner" };
        flipped.push(other);
        return other;
      });
      const lines = [{ object: "changes", organization: "o" }, ...flipped].map((each) =>
        JSON.stringify(each),
      );
      const change = await readChange(
        { name: "lines", pieces: Readable.from([lines.join("\n")]) },
        false,
        () => {},
      );
      for (const dryRun of [true, false]) {
        const { kinds } = await applyChange(engine, change, { dryRun });
        expect(kinds.teamMember).toEqual({ added: 0, changed: flipped.length, removed: 0, unchanged: 0 });
      }
      const at = await currentRevision(engine, "o");
      expectEqual((await loaded(engine, at)).model, modelOf(factsOf(state, "o")));
    }
  });
});

test("a revision has the time at which it is published, not that at which its number is reserved", async () => {
  const pass = stopClock();
  await withRows(ownPlace, async (engine) => {
    const first: SnapshotRecord[] = [
      { object: "organization", id: "o", title: "o" },
      { object: "user", id: "ana", displayName: "Ana" },
      { object: "member", organization: "o", user: "ana", role: "read" },
    ];
    await imported(engine, first);
    const began = Date.now();
    const second = first.map((record): SnapshotRecord =>
      record.object === "user" ? { ...record, email: "a@b" } : record,
    );
    await imported(
      engine,
      second,
      () => false,
      async (staging) => {
        const transaction: Staging["transaction"] = (work) => {
          pass(60_000);
          return staging.transaction(work);
        };
        return replaced(staging, { transaction });
      },
    );
    // The first transaction reserves the number, the second one writes rows, and then the third one publishes.
    const { importedAt } = await currentRevision(engine, "o");
    expect(Date.parse(importedAt) - began).toBe(2 * 60_000);
  });
});

/** Of teams and of spaces, those whose entries go. */
const STRETCHES = [
  [100, 900, true],
  [0, 650, false],
] as const;

const LOGGED = statement<[revision: number]>(
  () => `
    SELECT DISTINCT revision FROM record_change WHERE revision <> $1 AND generation = $2`,
);

class Died extends Error {}

/** Dies at a step: before a transaction takes effect, or after what was inserted outside of one. */
function dyingAfter(staging: Staging, steps: number): Staging {
  let done = 0;
  const transaction: Staging["transaction"] = (work) =>
    staging.transaction(async (connection) => {
      const result = await work(connection);
      if (done++ === steps) throw new Died();
      return result;
    });
  const insert: Staging["insert"] = async (...rows) => {
    await staging.insert(...rows);
    if (done++ === steps) throw new Died();
  };
  return replaced(staging, { transaction, insert });
}

/** Counts and records of a comparison. */
interface Said {
  readonly organizations: readonly Pick<OrganizationChange, "organization" | "title" | "counts" | "kinds">[];
  readonly records: readonly RecordChange[];
}

test("the counts and the records that differ are those of the import that compares staged tables", async () => {
  await withRows(ownPlace, async (engine) => {
    let tried = 0;
    const world = await World.open(ownPlace);
    try {
      await holds(
        fc.asyncProperty(histories({}, 2), async (drawn) => {
          tried++;
          for (const drawnState of drawn) {
            const state = renamed(drawnState, `${tried}-`);
            const records: RecordChange[] = [];
            const details = (page: readonly RecordDifference[]) => void records.push(...page.map(recordIn));
            const { organizations } = await world.import(state, {
              allowRemovals: true,
              allowEmpty: true,
              details,
            });
            const said: Said = { organizations: organizations.map(countsIn), records };
            let told: Said | undefined;
            await imported(engine, state, undefined, async (staging, changes) => {
              const found = await staging.read(DIFFERENCES);
              told = {
                organizations: changes.map(countsIn),
                records: found.map((row) => recordOfRow(row)),
              };
              return staging;
            });
            expect(told).toEqual(said);
          }
        }),
        { numRuns: RUNS },
      );
    } finally {
      await world.close();
    }
  });
});

const DIFFERENCES = statement<RecordRow>(
  () => `
    SELECT ${recordColumns("d")} FROM staged_difference d ORDER BY d.organization, d.kind, d.number`,
);

function recordIn({ kind, member, team, content, site, was, becomes }: RecordDifference): RecordChange {
  return { kind, member, team, content, site, was, becomes };
}

function countsIn({ organization, title, counts, kinds }: OrganizationChange) {
  return { organization, title, counts, kinds };
}

/** A record spelled as it is stored: respelled records are the same, which other tests show. */
function inForm(record: SnapshotRecord): SnapshotRecord {
  switch (record.object) {
    case "user":
    case "collection":
    case "space":
      return JSON.parse(textOf(record));
    case "team":
      return { organization: record.organization, ...JSON.parse(textOf(record)) };
    default:
      return record;
  }
}

/** Other organizations, so that each history has its own in one database. */
function renamed(records: readonly SnapshotRecord[], prefix: string): SnapshotRecord[] {
  return records.map((record) => {
    if (record.object === "organization")
      return { ...record, id: idWith(prefix, record.id), title: idWith(prefix, record.id) };
    return "organization" in record
      ? { ...record, organization: idWith(prefix, record.organization) }
      : record;
  });
}

/** An id has at most 128 characters. */
function idWith(prefix: string, id: string): string {
  return (prefix + id).slice(0, 128);
}
