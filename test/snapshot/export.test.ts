import { expect, test } from "vitest";
import { exportedLines } from "../exported.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { sqlitePlace, World } from "../world.ts";

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

/** In the order of an export: no list is in the order of the tree, and ids come by bytes, not by UTF-16 units. */
const RECORDS: readonly SnapshotRecord[] = [
  { object: "organization", id: "o", title: "O" },
  ...["Zoe", "ana", "\u{FF5A}", "\u{1F600}"].flatMap((id): SnapshotRecord[] => [
    { object: "user", id, displayName: id },
    { object: "member", organization: "o", user: id, role: id === "ana" ? "admin" : null },
  ]),
  { object: "team", id: "s", organization: "o", title: "T", createdAt: LATE },
  { object: "team", id: "t", organization: "o", title: "S", createdAt: EARLY },
  { object: "teamMember", team: "t", user: "Zoe", role: "owner" },
  { object: "teamMember", team: "s", user: "ana", role: "member" },
  { object: "teamMember", team: "t", user: "ana", role: "member" },
  { object: "collection", id: "a", organization: "o", title: "a", parent: "b" },
  { object: "collection", id: "b", organization: "o", title: "b", defaultLevel: null },
  space("z", EARLY, "a"),
  space("c", LATE, "b"),
  space("d", LATE),
  { object: "site", id: "v", organization: "o", title: "W" },
  { object: "site", id: "w", organization: "o", title: "V" },
  { object: "siteSpace", site: "v", space: "c" },
  { object: "siteSpace", site: "v", space: "z" },
  { object: "siteSpace", site: "w", space: "d" },
  { object: "permission", collection: "a", user: "Zoe", permission: "read" },
  { object: "permission", space: "c", user: "Zoe", permission: "edit" },
  { object: "permission", space: "z", user: "Zoe", permission: "comment" },
  { object: "permission", collection: "b", user: "\u{1F600}", permission: "create" },
  { object: "permission", collection: "b", team: "t", permission: "read" },
  { object: "permission", space: "d", team: "s", permission: "read" },
  { object: "permission", space: "d", team: "t", permission: "admin" },
];

test("an export has one order, whatever the order in which the records came", async () => {
  const world = await World.open(sqlitePlace);
  try {
    const own = (record: SnapshotRecord) => !("user" in record && record.user === "Zoe");
    await world.import(
      RECORDS.filter(
        (record) =>
          own(record) &&
          !(record.object === "space" && record.id === "z") &&
          !("space" in record && record.space === "z"),
      ),
    );
    await world.import(RECORDS.toReversed());
    expect(await exportedLines(world.store, "o")).toEqual(RECORDS.map((record) => JSON.stringify(record)));
  } finally {
    await world.close();
  }
});
