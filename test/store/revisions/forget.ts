import { expect, test } from "vitest";
import { type SqlValue, statement } from "../../../src/store/engine/engine.ts";
import { GENERATION_TABLES } from "../../../src/store/schema/tables.ts";
import { forgetUser } from "../../../src/store/rows/forget.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import type { OpenPlace, World } from "../../world.ts";
import { never, opened, SMALL } from "../writing/imports.ts";

/** Ben's record, with words that occur nowhere else. */
const BEN: SnapshotRecord = {
  object: "user",
  id: "ben",
  displayName: "Benedikt Quux",
  email: "quux@example.org",
  photoURL: "https://example.org/quux.png",
  urls: { location: "https://example.org/quux" },
};
const BEFORE = SMALL.map((record) => (record.object === "user" && record.id === "ben" ? BEN : record));
const RENAMED = BEFORE.map((record): SnapshotRecord =>
  record.object === "user" && record.id === "ben" ? { ...record, displayName: "Ben Quux-Quuux" } : record,
);
const AFTER = BEFORE.filter((record) => record !== BEN && !("user" in record && record.user === "ben"));

/** Former members can be removed from the past. */
export function exerciseForgetting(open: OpenPlace): void {
  test("a former member is erased from every revision, log and index; the id stays", async () => {
    await using world = await opened(open);
    const { engine } = world.store;
    for (const records of [BEFORE, RENAMED, AFTER]) await world.import(records);
    const token = await world.token("o");
    const path = "/at/2/v1/spaces/s/permissions/aggregate";
    const before = await world.get(path, token);
    expect(before.body).toContain("Ben Quux-Quuux");
    expect(await whereIsQuux(world)).not.toEqual([]);
    expect(await forgetUser(engine, "o", "ben", never)).toBeGreaterThan(0);
    expect(await whereIsQuux(world)).toEqual([]);
    for (const revision of [1, 2]) {
      const { items } = await world.page(path.replace("2", String(revision)), token);
      expect(items).toContainEqual({
        permission: "read",
        user: {
          object: "user",
          id: "ben",
          displayName: "ben",
          urls: { location: "https://docs.example/api/v1/users/ben" },
        },
      });
    }
    const etag = String(before.headers.etag);
    expect((await world.get(path, token, { "if-none-match": etag })).status).toBe(200);
    expect(await forgetUser(engine, "o", "ben", never)).toBe(0);
  });

  test("a current member and an unknown user are not erased", async () => {
    await using world = await opened(open);
    const { engine } = world.store;
    for (const records of [BEFORE, AFTER, RENAMED]) await world.import(records);
    await expect(forgetUser(engine, "o", "ben", never)).rejects.toThrow(
      "ben is a member of organization o now",
    );
    await expect(forgetUser(engine, "o", "cleo", never)).rejects.toThrow('no user "cleo" in the past of');
    await expect(forgetUser(engine, "p", "ben", never)).rejects.toThrow('no organization "p"');
    expect(
      (await world.get("/at/1/v1/spaces/s/permissions/aggregate", await world.token("o"))).body,
    ).toContain("Benedikt Quux");
  });
}

/** The tables with a row that still contains Ben's words. */
async function whereIsQuux({ store }: World): Promise<string[]> {
  const found: string[] = [];
  for (const table of [...GENERATION_TABLES, "organization", "revision"]) {
    const rows = await store.engine.read(statement<SqlValue[]>(() => `SELECT * FROM ${table}`));
    if (rows.some((row) => row.some((cell) => typeof cell === "string" && /quux/i.test(cell))))
      found.push(table);
  }
  return found;
}
