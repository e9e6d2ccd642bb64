import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyChange } from "../../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../../src/snapshot/changes/read.ts";
import { importFiles } from "../../../../src/snapshot/import.ts";
import { verify } from "../../../../src/snapshot/verify.ts";
import { statement } from "../../../../src/store/engine/engine.ts";
import type { RecordDifference } from "../../../../src/store/writing/generation/difference.ts";
import { CommandError } from "../../../../src/domain/error.ts";
import { acme } from "../../../examples/acme.ts";
import { differenceOf, ownRecords, toChangeLines } from "../../../oracle/files/change-file.ts";
import { evolution } from "../../../oracle/random/evolve.ts";
import { organizationIds } from "../../../oracle/facts.ts";
import { organizations } from "../../../oracle/random/organizations.ts";
import { type SnapshotRecord, toLines } from "../../../oracle/records.ts";
import { shuffle } from "../../../oracle/random/values.ts";
import { type OpenPlace, World } from "../../../world.ts";
import { writeDirectly } from "../../../directly.ts";

const SIZES = {
  minOrganizations: 1,
  maxOrganizations: 1,
  minMembers: 2,
  maxMembers: 8,
  minContents: 2,
  maxContents: 6,
};
const MEANT = { allowEmpty: true, allowRemovals: true };
const FORGET = statement<never>(() => "DELETE FROM line_hash");

/**
 * A whole file whose lines are mostly stored already is recognized by its lines, and no other file is. Tries every
 * `step`-th file.
 */
export function exerciseAgain(open: OpenPlace, runs: number, step: number): void {
  test("a whole file with few new lines is imported by them, with the same result as by all records", async () => {
    let byLines = 0;
    await fc.assert(
      fc.asyncProperty(
        organizations(SIZES),
        evolution,
        evolution,
        fc.nat(),
        async (first, once, twice, seed) => {
          const world = await World.open(open);
          try {
            const [organization = ""] = organizationIds(first);
            const before = ownRecords(first, organization);
            const between = ownRecords(once(before), organization);
            const after = ownRecords(twice(between), organization);
            await importFiles(world.store.engine, [world.file(toLines(before))], MEANT);
            await apply(world, toChangeLines(organization, differenceOf(before, between)));
            const own = world.file(toLines(inOrder(after, seed)));
            byLines += Number(!(await phasesOf(world, own)).has("checking"));
            // Without the stored hashes of lines, the whole file is read; it changes nothing any more.
            await writeDirectly(world.store.engine, FORGET);
            expect((await importFiles(world.store.engine, [own], MEANT)).changed).toBe(false);
            const { findings } = await verify(world.store, organization, {
              repair: false,
              waiting: () => {},
            });
            expect(findings).toEqual([]);
          } finally {
            await world.close();
          }
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
    expect(byLines).toBeGreaterThan(runs / 3);
  });

  test("a whole file that lacks a record without an id of its own is imported by its lines", async () => {
    const world = await World.open(open);
    try {
      let records = acme;
      await world.import(records);
      for (const kind of ["siteSpace", "teamMember", "permission"]) {
        const lost = records.find(({ object }) => object === kind);
        records = records.filter((record) => record !== lost);
        const file = world.file(toLines(records));
        expect([kind, (await phasesOf(world, file)).has("checking")]).toEqual([kind, false]);
        await writeDirectly(world.store.engine, FORGET);
        expect((await importFiles(world.store.engine, [file], MEANT)).changed).toBe(false);
      }
    } finally {
      await world.close();
    }
  });

  test("a file that lost a user and another's member has the same errors as without known lines", async () => {
    const world = await World.open(open);
    try {
      const records: SnapshotRecord[] = [
        { object: "organization", id: "o", title: "O" },
        ...["ana", "ben", "cleo"].flatMap((id): SnapshotRecord[] => [
          { object: "user", id, displayName: id },
          { object: "member", organization: "o", user: id, role: "read" },
        ]),
      ];
      await world.import(records);
      const left = records.filter(
        (record) =>
          !(record.object === "user" && record.id === "ana") &&
          !(record.object === "member" && record.user === "ben"),
      );
      await expect(world.import(left)).rejects.toThrow("member.user");
    } finally {
      await world.close();
    }
  });

  test("after changes, an unchanged whole file is recognized by its lines, and no other file is", async () => {
    let [known, tried] = [0, 0];
    await fc.assert(
      fc.asyncProperty(organizations(SIZES), evolution, fc.nat(), async (first, evolve, seed) => {
        const world = await World.open(open);
        try {
          const [organization = ""] = organizationIds(first);
          const before = ownRecords(first, organization);
          // Every second file has as many records as the stored state.
          const own = tried++ % 2 === 0 ? renamed(before) : ownRecords(evolve(before), organization);
          const changes = toChangeLines(organization, differenceOf(before, own));
          for (const [index, [name, text]] of Object.entries(others(before, own, seed)).entries()) {
            if (index % step !== 0) continue;
            await importFiles(world.store.engine, [world.file(toLines(before))], MEANT);
            await apply(world, changes);
            if (name === "what it is") known += Number(await isKnown(world, text));
            const said = await dry(world, text);
            await writeDirectly(world.store.engine, FORGET);
            const expected = await dry(world, text);
            expect({ name, text, ...said }).toEqual({ name, text, ...expected });
          }
        } finally {
          await world.close();
        }
      }),
      { numRuns: runs, endOnFailure: true },
    );
    expect(known).toBe(runs);
  });
}

function renamed(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  return records.map((record) =>
    record.object === "user" ? { ...record, displayName: `${record.displayName}!` } : record,
  );
}

/** Shuffles records, but with the organization first, as most producers write it. */
function inOrder(records: readonly SnapshotRecord[], seed: number): SnapshotRecord[] {
  const first = records.filter(({ object }) => object === "organization");
  return [...first, ...shuffle(records, seed).filter(({ object }) => object !== "organization")];
}

/** Files that differ slightly from `own`. The lines of `before` are stored. */
function others(
  before: readonly SnapshotRecord[],
  own: readonly SnapshotRecord[],
  seed: number,
): Record<string, string> {
  const lines = toLines(inOrder(own, seed)).trimEnd().split("\n");
  const at = 1 + (seed % Math.max(1, lines.length - 1));
  const [line = ""] = lines.slice(at);
  const without = lines.toSpliced(at, 1);
  const is = new Set(toLines(own).split("\n"));
  const outdated = toLines(before)
    .split("\n")
    .filter((each) => !is.has(each));
  const spelt = line.replace("{", "{ ");
  const whole = (texts: readonly string[]) => texts.join("\n");
  return {
    "what it is": whole(lines),
    "without one": whole(without),
    "one twice": whole([...lines, line]),
    "one twice instead of another": whole([...without.slice(0, -1), line, line]),
    "one twice in other words": whole([...lines, spelt]),
    "in other words": whole([...without, spelt]),
    "an outdated record": whole([...lines, ...outdated]),
    "what it was": toLines(inOrder(before, seed)),
    "a record behind the end": whole([...without, `{"object":"end","records":${without.length}}`, line]),
    "a wrong end": whole([...lines, '{"object":"end","records":1}']),
    "a right end": whole([...lines, `{"object":"end","records":${lines.length}}`]),
  };
}

/** Imports a file. Returns the phases of the import. */
async function phasesOf(world: World, file: string): Promise<ReadonlySet<string>> {
  const phases = new Set<string>();
  await importFiles(world.store.engine, [file], {
    ...MEANT,
    changeLimit: () => Number.MAX_SAFE_INTEGER,
    progress: ({ phase }) => void phases.add(phase),
  });
  return phases;
}

async function isKnown(world: World, text: string): Promise<boolean> {
  const phases = new Set<string>();
  const options = { allowEmpty: true, progress: ({ phase }: { phase: string }) => void phases.add(phase) };
  const result = await importFiles(world.store.engine, [world.file(text)], options);
  expect({ text, changed: result.changed }).toEqual({ text, changed: false });
  return !phases.has("checking");
}

/** Imports a text in a dry run. Returns the result. */
async function dry(world: World, text: string): Promise<{ changed?: boolean; said: unknown }> {
  const details: RecordDifference[] = [];
  const options = {
    ...MEANT,
    dryRun: true,
    details: (page: readonly RecordDifference[]) => void details.push(...page),
  };
  try {
    const { changed, organizations: said } = await importFiles(
      world.store.engine,
      [world.file(text)],
      options,
    );
    return { changed, said: { said, details: JSON.parse(JSON.stringify(details)) } };
  } catch (error) {
    if (error instanceof CommandError) return { said: error.message };
    throw error;
  }
}

async function apply(world: World, text: string): Promise<void> {
  const change = await readChange(world.file(text, "changes.ndjson"), false, () => {});
  await applyChange(world.store.engine, change, { allowRemovals: true });
}
