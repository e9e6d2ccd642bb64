import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { statement } from "../../src/store/engine/engine.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { createToken, listTokens } from "../../src/store/tokens.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { sqlitePlace, World } from "../world.ts";

/** No token is created for a member who was just removed: it would be valid again when the member returns. */

const RECORDS: SnapshotRecord[] = [
  { object: "organization", id: "o", title: "O" },
  ...["ana", "ben"].flatMap((id): SnapshotRecord[] => [
    { object: "user", id, displayName: id },
    { object: "member", organization: "o", user: id, role: "read" },
  ]),
];

const GONE = statement<never>(() => "DELETE FROM organization WHERE id = 'o'");
const LEFT = statement<never>(() => "DELETE FROM member WHERE id = 'ben'");

test.each([
  ["an organization that is removed", undefined, GONE, 'no organization "o"'],
  ["a member who leaves", "ben", LEFT, 'no member "ben" in organization o'],
] as const)("a token that is created meanwhile for %s", async (_, member, change, message) => {
  const world = await World.open(sqlitePlace);
  const other = await openEngine(world.url);
  try {
    await world.import(RECORDS);
    let made: Promise<string> | undefined;
    await other.transaction(async (connection) => {
      const exec = vi.spyOn(DatabaseSync.prototype, "exec");
      onTestFinished(() => exec.mockRestore());
      made = createToken(world.store, { organization: "o", member, name: "late" });
      made.catch(() => {});
      // The second attempt to begin says that the first was refused.
      const begun = () => exec.mock.calls.filter(([sql]) => sql === "BEGIN IMMEDIATE").length;
      await expect.poll(begun).toBeGreaterThan(1);
      await connection.write(change);
    });
    await expect(made).rejects.toThrow(message);
    expect(await listTokens(world.store.engine)).toEqual([]);
  } finally {
    await other.close();
    await world.close();
  }
});
