import { expect, test } from "vitest";
import { applyChange } from "../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../src/snapshot/changes/read.ts";
import { confirmedAt, freshness } from "../../../src/store/revisions/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import type { OpenPlace } from "../../world.ts";
import { nextMillisecond } from "../../setup/until.ts";
import { opened, revision, SMALL } from "./imports.ts";

/** The notes that an import prints. */
export function exerciseNotes(open: OpenPlace): void {
  test("ids that differ only in case cause a note and no error", async () => {
    await using world = await opened(open);
    const like = SMALL.flatMap((record): SnapshotRecord[] => {
      if (record.object === "user" || record.object === "site")
        return [{ ...record, id: record.id.toUpperCase() }];
      if (record.object === "member") return [{ ...record, user: record.user.toUpperCase() }];
      return record.object === "space" ? [{ ...record, id: "S" }] : [];
    });
    expect((await world.import(SMALL)).alike).toEqual([]);
    const { alike } = await world.import([...SMALL, ...like]);
    expect(alike.map(({ kind, one, other }) => `${kind} ${one} ${other}`)).toEqual([
      "site T t",
      "space or collection space/S space/s",
      "user ANA ana",
      "user BEN ben",
    ]);
  });

  test("a change notes ids that differ only in case from added ones, but not from removed ones", async () => {
    await using world = await opened(open);
    await world.import(SMALL);
    const [member, date] = [{ object: "member", organization: "o" }, "2025-01-01T00:00:00Z"];
    const file = world.file(
      [
        { object: "changes", organization: "o" },
        { ...member, user: "ben", removed: true },
        ...["Ben", "aNA"].flatMap((id) => [
          { object: "user", id, displayName: id },
          { ...member, user: id, role: "read" },
        ]),
        ...["docs", "Docs", "docs-2"].map((id) => ({
          object: "team",
          id,
          organization: "o",
          title: id,
          createdAt: date,
        })),
        { object: "collection", id: "S", organization: "o", title: "S" },
        { object: "space", id: "S", organization: "o", title: "S", createdAt: date, updatedAt: date },
      ]
        .map((record) => JSON.stringify(record))
        .join("\n"),
    );
    const change = await readChange(file, false, () => {});
    const { alike } = await applyChange(world.store.engine, change, { allowRemovals: true });
    expect(alike.map(({ kind, one, other }) => `${kind} ${one} ${other}`)).toEqual([
      "space or collection space/S space/s",
      "team Docs docs",
      "user aNA ana",
    ]);
  });

  test("only imports confirm an organization, even without a change; others are not confirmed", async () => {
    await using world = await opened(open);
    const times = () =>
      Promise.all(["o", "other"].map((id) => confirmedAt(world.store.engine, id).then((at) => at ?? "")));
    const later = async (work: () => Promise<unknown>) => {
      const before = await times();
      await nextMillisecond();
      await work();
      return (await times()).map((at, index) => at > (before[index] ?? ""));
    };
    expect(await times()).toEqual(["", ""]);
    const other: SnapshotRecord = { object: "organization", id: "other", title: "Other" };
    await world.import([...SMALL, other]);
    const imported = (await world.store.registry.organization("o"))?.current.importedAt ?? "";
    expect(await times()).toEqual([imported, imported]);
    const before = await revision(world, "o");

    expect(await later(() => world.import(SMALL))).toEqual([true, false]);
    expect(await later(() => world.import([...SMALL, { ...other, title: "Changed" }]))).toEqual([true, true]);
    expect(await later(() => world.import(SMALL, { dryRun: true }))).toEqual([false, false]);
    expect(await later(() => world.import([...SMALL, ...SMALL]).catch(() => {}))).toEqual([false, false]);
    expect(await revision(world, "o")).toBe(before);
    const { confirmed, imported: made } = await freshness(world.store.engine);
    expect([confirmed?.oldest, confirmed?.newest]).toEqual((await times()).toSorted());
    expect(made?.oldest).toBe(imported);
  });
}
