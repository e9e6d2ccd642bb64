import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { statement } from "../../src/store/engine/engine.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { currentOf } from "../../src/store/revisions/publication.ts";
import { createToken, listTokens } from "../../src/store/tokens.ts";
import { writeInPlace } from "../../src/store/writing/in-place.ts";
import { totalsOf } from "../../src/store/writing/write-change.ts";
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
const LEFT = statement<never>(() => "DELETE FROM member_row WHERE id = 'ben'");

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

test("a token is for a member of the current revision, whatever an import has written that is not published", async () => {
  const world = await World.open(sqlitePlace);
  try {
    await world.import(RECORDS);
    const { engine } = world.store;
    const user = (id: string) => JSON.stringify({ object: "user", id, displayName: id });
    const records = [
      { kind: "user", member: "ben", was: user("ben"), becomes: undefined },
      { kind: "user", member: "cleo", was: undefined, becomes: user("cleo") },
      { kind: "member", member: "ben", was: "1", becomes: undefined },
      { kind: "member", member: "cleo", was: undefined, becomes: "1" },
    ] as const;
    await engine.importing(
      async (staging) => {
        const current = await currentOf(staging, "o");
        if (current === undefined) throw new Error("There is no organization.");
        await writeInPlace(
          staging,
          current.at,
          await totalsOf(staging, current.at),
          inOneBlock(records),
          () => {},
        );
      },
      () => {},
    );
    await expect(
      createToken(world.store, { organization: "o", member: "cleo", name: "early" }),
    ).rejects.toThrow('no member "cleo" in organization o');
    await createToken(world.store, { organization: "o", member: "ben", name: "in time" });
    await world.import(RECORDS);
    expect((await listTokens(engine)).map(({ member }) => member)).toEqual(["ben"]);
  } finally {
    await world.close();
  }
});

async function* inOneBlock<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  yield items;
}
