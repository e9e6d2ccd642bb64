import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { sweep } from "../../../../src/store/writing/generation/sweep.ts";
import { openChunks } from "./open-chunks.ts";
import { changeHistory } from "../../../../src/store/revisions/history.ts";
import type { SnapshotRecord } from "../../../oracle/records.ts";
import { type OpenPlace, World } from "../../../world.ts";
import { importSuccessively, comparePast, mustVerify } from "./successive.ts";
import { compare, type State, statesOf } from "../../revisions/diff/diff.ts";
import { endedRows } from "../../revisions/ended.ts";
import { never } from "../imports.ts";
import { compareAll } from "../../listings/listings.ts";

/** Fills chunks of 4,096 slots. */
export function exerciseFullChunks(open: OpenPlace): void {
  test("very many people may join at once, so that chunks are split repeatedly", async () => {
    const world = await World.open(open);
    try {
      await importSuccessively(world, [people(1), people(9000)]);
      await mustVerify(world, people(9000));
      expect((await world.store.registry.organization("o"))?.current.counts.members).toBe(9000);
    } finally {
      await world.close();
    }
  });

  test("keys in sequence fill one chunk after the other, after all others and between them", async () => {
    const world = await World.open(open);
    try {
      const some = [...inTurn("b", 1500), ...inTurn("d", 1500)];
      const behind = [...some, ...inTurn("e", 6000)];
      const between = [...behind, ...inTurn("c", 6000)];
      const history = [some, behind, between].map(onOneSpace);
      const stages = await importSuccessively(world, history);
      await mustVerify(world, onOneSpace(between));
      await comparePast(world, stages, 5003);
      const organization = await world.store.registry.organization("o");
      if (organization === undefined) throw new Error("The organization is missing.");
      // The keys after all others fill two more chunks. The first chunk is halved, then cut after the sequence of keys.
      expect(await openChunks(world, organization.current)).toBe(6);
    } finally {
      await world.close();
    }
  });
}

/**
 * Changes that split chunks of any size. The members and spaces of an organization, at first `count` of each, become
 * 1.75 times as many, then fewer, then as many again. Compares every `step`-th listing.
 */
export function exerciseSplits(open: OpenPlace, count: number, step: number): void {
  test("full chunks are split without changing any list, and returning people get their positions", async () => {
    const world = await World.open(open);
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const between = Math.floor(0.25 * count);
      const fewer = Math.floor(0.63 * count);
      const history = [
        organizationOf(count, 0, 0),
        organizationOf(count, between, 1),
        organizationOf(fewer, between, 0),
        organizationOf(count, between, 2),
      ];
      const stages = await importSuccessively(world, history, (day) => vi.setSystemTime(START + day * DAY));
      await mustVerify(world, history.at(-1) ?? []);
      await compareAll(world, history.at(-1) ?? [], [1000], step);
      await comparePast(world, stages, 2 * step);
      // Closed chunks are deleted with the revisions that they belong to.
      await pruneTo(world, 3);
      await comparePast(world, stages.slice(2), 2 * step);
      expect(await endedRows(world)).toEqual([]);
    } finally {
      vi.useRealTimers();
      await world.close();
    }
  });
}

/** Of these ids, some join and some leave with each change: several times as many as a chunk of four slots holds. */
const COMING = Array.from({ length: 20 }, (_, index) => String(index).padStart(4, "0")).flatMap((number) =>
  ["", "b", "c"].map((letter) => number + letter),
);

/** Random changes that split chunks of four slots at random places, on the same day and later. */
export function exerciseRandomSplits(open: OpenPlace, runs: number): void {
  const states = fc.array(fc.subarray(COMING, { minLength: 12, maxLength: 45 }), {
    minLength: 4,
    maxLength: 4,
  });
  test("chunks that are split at random places answer as of every revision, and are compared and pruned", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      await fc.assert(
        fc.asyncProperty(states, async (ids) => {
          const history = ids.map((some, day) => organizationWith(some, 30, day));
          const world = await World.open(open);
          try {
            const found: State[] = [];
            for (const [day, records] of history.entries()) {
              vi.setSystemTime(START + day * DAY);
              found.push(...((await statesOf(world, [records], [day === 0])).get("o") ?? []));
              await mustVerify(world, records);
            }
            const [first, second, third, last] = found;
            if (first === undefined || second === undefined || third === undefined || last === undefined)
              throw new Error("A state is missing.");
            for (const [from, to] of [
              [first, second],
              [second, third],
              [first, last],
              [last, second],
            ] as const)
              await compare(world, from, to, [{}]);
            const stages = history.map((records, day) => ({
              records,
              revisions: new Map([["o", found[day]?.at.revision]]),
            }));
            await comparePast(world, stages, 5);
            await pruneTo(world, 3);
            await comparePast(world, stages.slice(2), 5);
            expect(await endedRows(world)).toEqual([]);
            await mustVerify(world, history[3] ?? []);
          } finally {
            await world.close();
          }
        }),
        { numRuns: runs, endOnFailure: true },
      );
    } finally {
      vi.useRealTimers();
    }
  });
}

/** Makes revisions before half a day before a day unreadable, and deletes them. */
async function pruneTo({ store: { engine } }: World, day: number): Promise<void> {
  await engine.importing(async (staging) => {
    vi.setSystemTime(START + day * DAY);
    await changeHistory(engine, staging, DAY / 2);
    await sweep(staging, -1);
  }, never);
}

const CREATED = "2025-03-01T09:30:00.000Z";
const START = Date.parse("2026-01-01T12:00:00Z");
const DAY = 24 * 60 * 60_000;

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

/** An organization with `count` members and nothing else. */
function people(count: number): SnapshotRecord[] {
  return [
    { object: "organization", id: "o", title: "People" },
    ...Array.from({ length: count }, (_, index): SnapshotRecord[] => [
      { object: "user", id: `p${index}`, displayName: `Person ${index}` },
      { object: "member", organization: "o", user: `p${index}`, role: "read" },
    ]).flat(),
  ];
}

/** An organization with `count` members and spaces. After each of the first `between` come three more, by id. */
function organizationOf(count: number, between: number, variant: number): SnapshotRecord[] {
  const numbers = Array.from({ length: count }, (_, index) => String(index).padStart(4, "0"));
  const further = numbers
    .slice(0, between)
    .flatMap((number) => ["b", "c", "d"].map((letter) => number + letter));
  return organizationWith([...numbers, ...further], count, variant);
}

/**
 * An organization with a member and a space for each of the given ids, which begin with a number. `among`: how many
 * there are about.
 */
function organizationWith(ids: readonly string[], among: number, variant: number): SnapshotRecord[] {
  const records: SnapshotRecord[] = [
    { object: "organization", id: "o", title: `Variant ${variant}` },
    { object: "collection", id: "shelf", organization: "o", title: "Shelf" },
    { object: "collection", id: "drawer", organization: "o", title: "Drawer", parent: "shelf" },
    { object: "team", id: "large", organization: "o", title: "Large", createdAt: CREATED },
    { object: "team", id: "small", organization: "o", title: "Small", createdAt: CREATED },
    { object: "permission", collection: "drawer", team: "small", permission: "review" },
    { object: "permission", collection: "shelf", team: "large", permission: "comment" },
    { object: "site", id: "site", organization: "o", title: "Site" },
  ];
  /** Whether an index is one of about `among` in an organization of any size. */
  const isSome = (index: number, few: number) => index % Math.max(2, Math.floor(among / few)) === 0;
  for (const [index, number] of ids.entries()) {
    const user = `u${number}`;
    const role = index % 7 === 0 ? null : index % 5 === 0 ? "edit" : "read";
    records.push({ object: "user", id: user, displayName: `User ${number}` });
    records.push({ object: "member", organization: "o", user, role });
    if (index % 3 === variant % 3)
      records.push({ object: "teamMember", team: "large", user, role: "member" });
    if (isSome(index, 6)) records.push({ object: "teamMember", team: "small", user, role: "owner" });
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
    if (isSome(index, 31)) records.push({ object: "permission", space, user, permission: "create" });
    if (isSome(index, 10)) records.push({ object: "permission", space, team: "small", permission: "admin" });
    if (isSome(index, 3)) records.push({ object: "siteSpace", site: "site", space });
  }
  return records;
}
