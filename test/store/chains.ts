import * as fc from "fast-check";
import { expect, test } from "vitest";
import { verify } from "../../src/snapshot/verify.ts";
import { sweep } from "../../src/store/writing/generation/sweep.ts";
import { MEMBERS } from "../../src/store/schema/set-names.ts";
import { chunksOf } from "../../src/store/sets/chunks.ts";
import { changeHistory } from "../../src/store/revisions/history.ts";
import { listRevisions } from "../../src/store/revisions/list.ts";
import { type Oracle, oracle } from "../oracle/oracle.ts";
import { organizationIds } from "../oracle/facts.ts";
import { histories } from "../oracle/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { type OpenPlace, PUBLIC_URL, World } from "../world.ts";
import { compareAll } from "./listings.ts";
import { endedRows } from "./ended.ts";
import { never, revision } from "./imports.ts";

/** A state of the organizations, with the revision of each. */
interface Stage {
  readonly records: readonly SnapshotRecord[];
  readonly revisions: ReadonlyMap<string, number | undefined>;
}

/** Imports that are all written as changes of the stored generation. Returns the states. */
async function chain(world: World, history: readonly (readonly SnapshotRecord[])[]): Promise<Stage[]> {
  const stages: Stage[] = [];
  for (const records of history) {
    const changeLimit = () => Number.MAX_SAFE_INTEGER;
    await world.import(records, { allowRemovals: true, allowEmpty: true, changeLimit });
    const ids = organizationIds(records);
    const revisions = new Map<string, number | undefined>();
    for (const id of ids) revisions.set(id, await revision(world, id));
    stages.push({ records, revisions });
  }
  return stages;
}

/** Checks that all derived data equals that of a fresh import. */
async function mustVerify(world: World, records: readonly SnapshotRecord[]): Promise<void> {
  for (const id of organizationIds(records)) {
    const { findings } = await verify(world.store, id, { repair: false, waiting: () => {} });
    expect(findings).toEqual([]);
  }
}

/** Compares one listing in `step`, as of the revision of each stage. */
async function comparePast(world: World, stages: readonly Stage[], step: number): Promise<void> {
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

/** Organizations written as changes answer like fresh imports of the same states, at every revision. */
export function exerciseChains(open: OpenPlace, runs: number, step: number, splits: boolean): void {
  test("after any chain of changes every list is the oracle's, now and as of each revision", async () => {
    await fc.assert(
      fc.asyncProperty(
        histories({ maxOrganizations: 1, minMembers: 2, minContents: 3 }, 4),
        async (history) => {
          const world = await World.open(open);
          try {
            const stages = await chain(world, history);
            await mustVerify(world, history.at(-1) ?? []);
            await compareAll(world, history.at(-1) ?? [], [2, 1000]);
            await comparePast(world, stages, step);
          } finally {
            await world.close();
          }
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  });

  // Thousands of consecutive statements, each of which waits for a server.
  if (!splits) return;

  test("so many people may join at once that chunks are split again and again", async () => {
    const world = await World.open(open);
    try {
      await chain(world, [people(1), people(9000)]);
      await mustVerify(world, people(9000));
      expect((await world.store.registry.organization("o"))?.current.counts.members).toBe(9000);
    } finally {
      await world.close();
    }
  });

  test("keys that come in turn fill one chunk after the other, behind all others and between them", async () => {
    const world = await World.open(open);
    try {
      const some = [...inTurn("b", 1500), ...inTurn("d", 1500)];
      const behind = [...some, ...inTurn("e", 6000)];
      const between = [...behind, ...inTurn("c", 6000)];
      const history = [some, behind, between].map(onOneSpace);
      const stages = await chain(world, history);
      await mustVerify(world, onOneSpace(between));
      await comparePast(world, stages, 5003);
      const organization = await world.store.registry.organization("o");
      if (organization === undefined) throw new Error("The organization is missing.");
      const chunks = await chunksOf(world.store.reading(organization.current), MEMBERS);
      // Keys after all others fill two more chunks; the first chunk is halved, then cut after the sequence.
      expect(chunks).toHaveLength(6);
    } finally {
      await world.close();
    }
  });

  test("chunks that are full are split, with all lists as they were, and people return to their places", async () => {
    const world = await World.open(open);
    try {
      const history = [large(3000, 0, 0), large(3000, 1200, 1), large(1900, 1200, 0), large(3000, 1200, 2)];
      const stages = await chain(world, history);
      await mustVerify(world, history.at(-1) ?? []);
      await compareAll(world, history.at(-1) ?? [], [1000], STEP_OF_LARGE);
      const imported: number[] = [];
      for await (const { importedAt } of listRevisions(world.store.engine, "o")) {
        imported.unshift(Date.parse(importedAt));
      }
      await comparePast(world, stages, STEP_OF_LARGE * 2);
      // Closed chunks are deleted with the revisions that they belong to.
      const { engine } = world.store;
      await engine.importing(async (staging) => {
        await changeHistory(engine, staging, Date.now() - (imported[2] ?? 0));
        await sweep(staging, -1);
      }, never);
      await comparePast(world, stages.slice(2), STEP_OF_LARGE * 2);
      expect(await endedRows(world)).toEqual([]);
    } finally {
      await world.close();
    }
  });
}

function inTurn(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${String(index).padStart(5, "0")}`);
}

function onOneSpace(users: readonly string[]): SnapshotRecord[] {
  return [
    { object: "organization", id: "o", title: "In turn" },
    { object: "space", id: "s", organization: "o", title: "Space", createdAt: CREATED, updatedAt: CREATED },
    ...users.flatMap((user): SnapshotRecord[] => [
      { object: "user", id: user, displayName: user },
      { object: "member", organization: "o", user, role: "read" },
    ]),
  ];
}

/** An organization of `count` members and nothing else. */
function people(count: number): SnapshotRecord[] {
  return [
    { object: "organization", id: "o", title: "People" },
    ...Array.from({ length: count }, (_, index): SnapshotRecord[] => [
      { object: "user", id: `p${index}`, displayName: `Person ${index}` },
      { object: "member", organization: "o", user: `p${index}`, role: "read" },
    ]).flat(),
  ];
}

/** The organization has a listing for each of its members and spaces. */
const STEP_OF_LARGE = 1499;

/** An organization of many members and spaces; `between` adds further ones, with ids between the others. */
function large(count: number, between: number, variant: number): SnapshotRecord[] {
  const records: SnapshotRecord[] = [
    { object: "organization", id: "o", title: `Large ${variant}` },
    { object: "collection", id: "shelf", organization: "o", title: "Shelf" },
    { object: "collection", id: "drawer", organization: "o", title: "Drawer", parent: "shelf" },
    { object: "team", id: "large", organization: "o", title: "Large", createdAt: CREATED },
    { object: "team", id: "small", organization: "o", title: "Small", createdAt: CREATED },
    { object: "permission", collection: "drawer", team: "small", permission: "review" },
    { object: "permission", collection: "shelf", team: "large", permission: "comment" },
    { object: "site", id: "site", organization: "o", title: "Site" },
  ];
  const numbers = Array.from({ length: count }, (_, index) => String(index).padStart(4, "0"));
  const further = numbers.slice(0, between).map((number) => `${number}b`);
  for (const [index, number] of [...numbers, ...further].entries()) {
    const user = `u${number}`;
    const role = index % 7 === 0 ? null : index % 5 === 0 ? "edit" : "read";
    records.push({ object: "user", id: user, displayName: `User ${number}` });
    records.push({ object: "member", organization: "o", user, role });
    if (index % 3 === variant % 3)
      records.push({ object: "teamMember", team: "large", user, role: "member" });
    if (index % 500 === 0) records.push({ object: "teamMember", team: "small", user, role: "owner" });
    const space = `s${number}`;
    const createdAt = new Date(Date.parse(CREATED) + Number.parseInt(number, 10) * 1000).toISOString();
    const parent = index % 4 === 0 ? { parent: index % 8 === 0 ? "shelf" : "drawer" } : {};
    records.push({
      object: "space",
      id: space,
      organization: "o",
      title: `Space ${number}`,
      createdAt,
      updatedAt: createdAt,
      ...parent,
      ...(index % 11 === 0 ? { defaultLevel: null } : {}),
    });
    if (index % 97 === 0) records.push({ object: "permission", space, user, permission: "create" });
    if (index % 301 === 0) records.push({ object: "permission", space, team: "small", permission: "admin" });
    if (index % 1000 === 0) records.push({ object: "siteSpace", site: "site", space });
  }
  return records;
}

const CREATED = "2025-03-01T09:30:00.000Z";
