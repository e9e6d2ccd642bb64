import * as fc from "fast-check";
import { expect, test } from "vitest";
import { exportedLines } from "../exported.ts";
import { organizationIds } from "../oracle/facts.ts";
import { histories } from "../oracle/random/organizations.ts";
import { shuffle } from "../oracle/random/values.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { sqlitePlace, World } from "../world.ts";
import { holds } from "../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);
const MEANT = { allowRemovals: true, allowEmpty: true };

const EARLY = "2025-01-01T00:00:00.000Z";
const LATE = "2026-01-01T00:00:00.000Z";
const space = (id: string, createdAt: string, parent?: string): SnapshotRecord => ({
  object: "space",
  id,
  organization: "o",
  title: id,
  createdAt,
  updatedAt: LATE,
  ...(parent === undefined ? {} : { parent }),
});

const USERS = ["Zoe", "ana", "\u{FF5A}", "\u{1F600}"];

/** In the order of an export: no list is in the order of the tree, and ids come by bytes, not by UTF-16 units. */
const RECORDS: readonly SnapshotRecord[] = [
  { object: "organization", id: "o", title: "O" },
  ...USERS.map((id): SnapshotRecord => ({ object: "user", id, displayName: id })),
  ...USERS.map((id): SnapshotRecord => {
    const role = id === "ana" ? "admin" : null;
    return { object: "member", organization: "o", user: id, role };
  }),
  { object: "team", id: "s", organization: "o", title: "T", createdAt: LATE },
  { object: "team", id: "t", organization: "o", title: "S", createdAt: EARLY },
  { object: "teamMember", team: "s", user: "ana", role: "member" },
  { object: "teamMember", team: "t", user: "Zoe", role: "owner" },
  { object: "teamMember", team: "t", user: "ana", role: "member" },
  { object: "collection", id: "a", organization: "o", title: "a", parent: "b" },
  { object: "collection", id: "b", organization: "o", title: "b", defaultLevel: null },
  space("c", LATE, "b"),
  space("d", LATE),
  space("z", EARLY, "a"),
  { object: "site", id: "v", organization: "o", title: "W", defaultLevel: null },
  { object: "site", id: "w", organization: "o", title: "V", defaultLevel: "comment" },
  { object: "site", id: "x", organization: "o", title: "U" },
  { object: "siteSpace", site: "v", space: "c" },
  { object: "siteSpace", site: "v", space: "z" },
  { object: "siteSpace", site: "w", space: "d" },
  { object: "permission", collection: "a", user: "Zoe", permission: "read" },
  { object: "permission", collection: "b", user: "\u{1F600}", permission: "create" },
  { object: "permission", collection: "b", team: "t", permission: "read" },
  { object: "permission", space: "c", user: "Zoe", permission: "edit" },
  { object: "permission", space: "d", team: "s", permission: "review" },
  { object: "permission", space: "d", team: "t", permission: "admin" },
  { object: "permission", space: "z", user: "Zoe", permission: "comment" },
  { object: "permission", site: "v", user: "Zoe", permission: "read" },
  { object: "permission", site: "v", user: "ana", permission: null },
  { object: "permission", site: "v", team: "s", permission: "edit" },
  { object: "permission", site: "v", team: "t", permission: null },
  { object: "permission", site: "x", user: "\u{FF5A}", permission: "admin" },
];

test("an export has one order, whatever the order in which the records came", async () => {
  const world = await World.open(sqlitePlace);
  try {
    const gone = ["Zoe", "v", "z"];
    const isEarlier = (record: SnapshotRecord) =>
      !Object.values(record).some((value) => gone.includes(value));
    await world.import(RECORDS.filter(isEarlier));
    await world.import(RECORDS.toReversed());
    expect(await exportedLines(world.store, "o")).toEqual(RECORDS.map((record) => JSON.stringify(record)));
  } finally {
    await world.close();
  }
});

test("databases that came to one state in different ways export the same bytes", async () => {
  const [one, other] = [await World.open(sqlitePlace), await World.open(sqlitePlace)];
  try {
    await holds(
      fc.asyncProperty(histories({}, 4), fc.nat(), async (history, seed) => {
        const last = history.at(-1) ?? [];
        for (const state of history) await one.import(state, MEANT);
        await other.import(shuffle(last, seed), MEANT);
        for (const id of organizationIds(last))
          expect(await exportedLines(one.store, id)).toEqual(await exportedLines(other.store, id));
      }),
      { numRuns: RUNS },
    );
  } finally {
    await one.close();
    await other.close();
  }
});
