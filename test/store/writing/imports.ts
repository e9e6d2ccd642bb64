import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { exportedLines } from "../../exported.ts";
import { statement } from "../../../src/store/engine/engine.ts";
import { prune, sweep } from "../../../src/store/rows/prune.ts";
import { GENERATION_TABLES } from "../../../src/store/schema/tables.ts";
import {
  endRemoval,
  listOrganizations,
  removeOrganization,
} from "../../../src/store/revisions/organizations.ts";
import { organizationIds } from "../../oracle/facts.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { type OpenPlace, World } from "../../world.ts";
import { compareAll } from "../listings/listings.ts";
import { user, shape, SHAPE } from "../shape.ts";
import { keepHistory, writeDirectly } from "../../directly.ts";
import { holds } from "../../setup/property.ts";

const ACME = new URL("../../../examples/acme.ndjson", import.meta.url).pathname;

/**
 * Imports, removals and exports of `times` random organizations; unless `isWhole`, without the guard's limits, which
 * test/store/writing/differences.ts tries in every store. {@link compareAll} explains `step`.
 */
export function exerciseImports(open: OpenPlace, times: number, step: number, isWhole: boolean): void {
  test("an import counts added records; the same file again changes nothing and makes no revision", async () => {
    await using world = await opened(open);
    const records = recordsOf(readFileSync(ACME, "utf8"));
    const first = await world.import(records);
    expect(first.changed).toBe(true);
    const count = (kind: string) => records.filter(({ object }) => object === kind).length;
    for (const kind of [
      "member",
      "team",
      "teamMember",
      "collection",
      "space",
      "site",
      "siteSpace",
      "permission",
    ] as const) {
      expect(first.organizations[0]?.kinds[kind], kind).toEqual({
        added: count(kind),
        changed: 0,
        removed: 0,
      });
    }
    const before = await revision(world, "acme");
    expect((await world.import(records)).changed).toBe(false);
    expect(await revision(world, "acme")).toBe(before);
  });

  test("an import counts changed and removed records per kind", async () => {
    await using world = await opened(open);
    await world.import(SMALL);
    const after = SMALL.filter((record) => !(record.object === "siteSpace")).map((record): SnapshotRecord => {
      if (record.object === "user" && record.id === "ana") return { ...record, displayName: "Ana Maria" };
      if (record.object === "member" && record.user === "ben") return { ...record, role: "edit" };
      if (record.object === "permission") return { ...record, permission: "review" };
      return record;
    });
    const { organizations: changes } = await world.import([
      ...after,
      { object: "site", id: "new", organization: "o", title: "" },
    ]);
    const { kinds } = changes[0] ?? { kinds: undefined };
    expect(kinds).toMatchObject({
      user: { added: 0, changed: 1, removed: 0 },
      member: { added: 0, changed: 1, removed: 0 },
      site: { added: 1, changed: 0, removed: 0 },
      siteSpace: { added: 0, changed: 0, removed: 1 },
      permission: { added: 0, changed: 1, removed: 0 },
      space: { added: 0, changed: 0, removed: 0 },
    });
  });

  test("a dry run reports the same and changes nothing", async () => {
    await using world = await opened(open);
    await world.import(SMALL);
    const before = await revision(world, "o");
    const fewer = SMALL.filter((record) => record.object !== "site" && record.object !== "siteSpace");
    const result = await world.import(fewer, { dryRun: true });
    expect(result.changed).toBe(true);
    expect(result.organizations[0]?.kinds.site).toEqual({ added: 0, changed: 0, removed: 1 });
    expect(await revision(world, "o")).toBe(before);
    await compareAll(world, SMALL, [1]);
  });

  test("an export equals its import, whatever was imported before", async () => {
    await holds(
      fc.asyncProperty(organizations(), async (records) => {
        await using world = await opened(open);
        await world.import(records);
        const lines: string[] = [];
        for (const id of organizationIds(records)) lines.push(...(await exportedLines(world.store, id)));
        const unique = recordsOf([...new Set(lines)].join("\n"));
        expect((await world.import(unique)).changed).toBe(false);
        await using copy = await opened(open);
        await copy.import(unique);
        await compareAll(copy, records, [1000]);
      }),
      { numRuns: times },
    );
  });

  test("an organization that an import does not name is unchanged; one with only its record becomes empty", async () => {
    await using world = await opened(open);
    await world.import(SMALL);
    await world.import([{ object: "organization", id: "other", title: "Other" }]);
    await compareAll(world, SMALL, [1]);
    await world.import([{ object: "organization", id: "o", title: "Empty" }]);
    const left = await listOrganizations(world.store.engine);
    expect(left.map(({ organization, title, counts }) => [organization, title, counts.members])).toEqual([
      ["o", "Empty", 0],
      ["other", "Other", 0],
    ]);
  });

  test("a user of two organizations in one import has the permissions of each", async () => {
    await using world = await opened(open);
    const one: SnapshotRecord[] = [
      ...SMALL,
      { object: "team", id: "x", organization: "o", title: "X", createdAt: "2025-01-01T00:00:00Z" },
      { object: "teamMember", team: "x", user: "ben", role: "member" },
      { object: "permission", space: "s", team: "x", permission: "review" },
    ];
    const both = [...one, ...one.map(inAnother)];
    await world.import(both);
    await compareAll(world, both, [1]);
  });

  test("revisions are kept as long as the history says, then deleted", async () => {
    await using world = await opened(open);
    const { engine } = world.store;
    for (const title of ["one", "two", "three"]) await world.import(titled(title), AS_GENERATIONS);
    await engine.importing((staging) => sweep(staging, -1), never);
    expect(await storedGenerations(world)).toEqual([1, 2, 3]);
    await keepHistory(engine, 0);
    await world.import(titled("four"), AS_GENERATIONS);
    // Rows that may still be read are not deleted yet.
    await engine.importing((staging) => sweep(staging), never);
    expect(await storedGenerations(world)).toEqual([1, 2, 3, 4]);
    await engine.importing((staging) => sweep(staging, -1), never);
    // The import of "four" released the revisions before the third one. Later revisions are left to the next import.
    expect(await storedGenerations(world)).toEqual([3, 4]);
    await engine.importing((staging) => prune(engine, staging), never);
    await engine.importing((staging) => sweep(staging, -1), never);
    expect(await storedGenerations(world)).toEqual([4]);
  });

  test("the generation of a killed import is deleted by the next one", async () => {
    await using world = await opened(open);
    await world.import(SMALL);
    await writeDirectly(world.store.engine, LEFT_BEHIND);
    await writeDirectly(world.store.engine, LEFT_ROW);
    await world.import(titled("next"), AS_GENERATIONS);
    expect(await storedGenerations(world)).toEqual([1, 2]);
    await compareAll(world, titled("next"), [1]);
  });

  test("removing an organization deletes its rows and tokens, and does not affect others", async () => {
    await using world = await opened(open);
    await world.import(SMALL);
    const neighbour = SMALL.map((record) => JSON.parse(JSON.stringify(record).replaceAll('"o"', '"p"')));
    await world.import(neighbour);
    const token = await world.token("o");
    expect((await world.get("/v1/spaces/s/permissions/users", token)).status).toBe(200);
    await removeOrganization(world.store.engine, "o", () => {});
    expect((await world.get("/v1/spaces/s/permissions/users", token)).status).toBe(401);
    expect(await storedGenerations(world)).toEqual([2]);
    await compareAll(world, neighbour, [1]);
    // Until its end is recorded, a removal may be continued.
    await removeOrganization(world.store.engine, "o", () => {});
    await endRemoval(world.store.engine, "o");
    await expect(removeOrganization(world.store.engine, "o", () => {})).rejects.toThrow(
      'no organization "o"',
    );
  });

  test("an import deletes the tokens of members who left, and of nobody else", async () => {
    await using world = await opened(open);
    await world.import(SMALL);
    const ana = await world.token("o", "ana");
    const ben = await world.token("o", "ben");
    const all = await world.token("o");
    await world.import(SMALL.filter((record) => !("user" in record && record.user === "ben")));
    const status = async (token: string, member: string) =>
      (await world.get(`/v1/orgs/o/members/${member}/teams`, token)).status;
    expect(await status(ana, "ana")).toBe(200);
    expect(await status(all, "ana")).toBe(200);
    expect(await status(ben, "ben")).toBe(401);
    await world.import(SMALL);
    expect(await status(ben, "ben")).toBe(401);
  });

  if (!isWhole) return;
  test("more than a fifth of the members or permissions is removed only with a confirmation", async () => {
    await using world = await opened(open);
    const many = shape(100);
    await world.import(many);
    const cut = many.filter((record) => !(record.object === "permission" && "user" in record));
    await expect(world.import(cut, {})).rejects.toThrow(/\d+ of \d+ permissions would go/);
    await expect(world.import(cut, {})).rejects.toThrow(/--allow-removals/);
    await compareAll(world, many, [1000], step);
    expect((await world.import(cut)).changed).toBe(true);
    await compareAll(world, cut, [1000], step);
  });

  test("exactly a fifth of the members may be removed without a confirmation", async () => {
    await using world = await opened(open);
    const members = (count: number): SnapshotRecord[] => [
      { object: "organization", id: SHAPE, title: "Shape" },
      ...Array.from({ length: count }, (_, index): SnapshotRecord[] => [
        { object: "user", id: user(index), displayName: "" },
        { object: "member", organization: SHAPE, user: user(index), role: "read" },
      ]).flat(),
    ];
    await world.import(members(60), {});
    await expect(world.import(members(47), {})).rejects.toThrow("13 of 60 members would go");
    expect((await world.import(members(48), {})).organizations[0]?.kinds.member.removed).toBe(12);
  });
}

/** Fails if a call waits for a lock. */
export function never(): void {
  throw new Error("Another import runs.");
}

export async function opened(open: OpenPlace): Promise<World & AsyncDisposable> {
  const world = await World.open(open);
  return Object.assign(world, { [Symbol.asyncDispose]: () => world.close() });
}

export const SMALL: SnapshotRecord[] = [
  { object: "organization", id: "o", title: "O" },
  { object: "user", id: "ana", displayName: "Ana" },
  { object: "user", id: "ben", displayName: "Ben" },
  { object: "member", organization: "o", user: "ana", role: "admin" },
  { object: "member", organization: "o", user: "ben", role: "read" },
  {
    object: "space",
    id: "s",
    organization: "o",
    title: "S",
    createdAt: "2025-01-01T00:00:00Z",
    updatedAt: "2025-01-01T00:00:00Z",
  },
  { object: "site", id: "t", organization: "o", title: "T" },
  { object: "siteSpace", site: "t", space: "s" },
  { object: "permission", space: "s", user: "ana", permission: "edit" },
];

/** Gives a record other ids, except those of users. */
function inAnother(record: SnapshotRecord): SnapshotRecord {
  return JSON.parse(JSON.stringify(record).replaceAll(/"([ostx])"/g, '"$1-2"'));
}

function titled(title: string): SnapshotRecord[] {
  return SMALL.map((record) => (record.object === "organization" ? { ...record, title } : record));
}

function recordsOf(text: string): SnapshotRecord[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): SnapshotRecord => JSON.parse(line));
}

export async function revision(world: World, id: string): Promise<number | undefined> {
  return (await world.store.registry.organization(id))?.current.revision;
}

/** Import options with which an import always writes a new generation. */
export const AS_GENERATIONS = { allowRemovals: true, allowEmpty: true, isWhole: () => true };

const LEFT_BEHIND = statement<never>(
  () => "INSERT INTO generation (generation, organization) VALUES (999, 'o')",
);
const LEFT_ROW = statement<never>(
  () =>
    "INSERT INTO team_row (generation, id, part, since, until, number, document) VALUES (999, 'x', 0, 0, 1, 1, '')",
);

/** The generations with rows in any table. */
async function storedGenerations({ store }: World): Promise<number[]> {
  const found = new Set<number>();
  for (const table of [...GENERATION_TABLES, "generation", "revision"]) {
    const rows = await store.engine.read(
      statement<[number]>(() => `SELECT DISTINCT generation FROM ${table}`),
    );
    for (const [generation] of rows) found.add(generation);
  }
  return [...found].sort((a, b) => a - b);
}
