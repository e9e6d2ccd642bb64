/** A change file of so many records that several transactions write it. */
import { expect, test } from "vitest";
import { applyChange } from "../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../src/snapshot/changes/read.ts";
import { acme } from "../../examples/acme.ts";
import { exportedLines } from "../../exported.ts";
import { findingsIn } from "../../findings.ts";
import { differenceOf, toChangeLines } from "../../oracle/files/change-file.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { opened } from "../../store/writing/imports.ts";
import { sqlitePlace, type World } from "../../world.ts";

/** The collection around the others comes in another transaction than most of them. */
const LAST = "zzz";
const MANY: SnapshotRecord[] = [
  ...Array.from({ length: 3000 }, (_, index): SnapshotRecord[] => [
    { object: "collection", id: `c${index}`, organization: "acme", title: "C", parent: LAST },
    { object: "user", id: `u${index}`, displayName: "U" },
    { object: "member", organization: "acme", user: `u${index}`, role: null },
    { object: "permission", collection: `c${index}`, user: `u${index}`, permission: "edit" },
  ]).flat(),
  { object: "collection", id: LAST, organization: "acme", title: "The last one" },
];

test("a change of more than 10,000 records, and the change that undoes it, lead to the states of whole files", async () => {
  await using world = await opened(sqlitePlace);
  await world.import(acme);
  const before = await exportedLines(world.store, "acme");
  const all = [...acme, ...MANY];
  expect(await applied(world, acme, all)).toBe(2);
  expect(await findingsIn(world.store, "acme")).toEqual([]);
  expect((await world.import(all, { dryRun: true })).changed).toBe(false);
  expect(await applied(world, all, acme)).toBe(3);
  expect(await findingsIn(world.store, "acme")).toEqual([]);
  expect(await exportedLines(world.store, "acme")).toEqual(before);
});

async function applied(
  world: World,
  from: readonly SnapshotRecord[],
  to: readonly SnapshotRecord[],
): Promise<number | undefined> {
  const text = toChangeLines("acme", differenceOf(from, to));
  const change = await readChange(world.file(text, "changes.ndjson"), false, () => {});
  return (await applyChange(world.store.engine, change, { allowRemovals: true })).revision;
}
