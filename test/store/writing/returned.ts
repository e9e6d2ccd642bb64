import { describe, expect, test } from "vitest";
import { applyChange } from "../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../src/snapshot/changes/read.ts";
import { RefusedImport, type ImportOptions } from "../../../src/snapshot/import.ts";
import { acme } from "../../examples/acme.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import type { OpenPlace, World } from "../../world.ts";
import { opened } from "./imports.ts";

const TEAM = { object: "teamMember", team: "docs", user: "ana" } as const;
const GIVEN = { object: "permission", collection: "developer-docs", user: "kofi@partner.example" } as const;
const OF_TEAM = { object: "permission", collection: "handbook", team: "docs" } as const;
const DANA = { object: "member", organization: "acme", user: "dana" } as const;

const isOf = (names: object) => (record: SnapshotRecord) =>
  Object.entries(names).every(([name, value]) =>
    Object.entries(record).some(([key, has]) => key === name && has === value),
  );

async function apply(world: World, ...records: readonly object[]): Promise<void> {
  const lines = [{ object: "changes", organization: "acme" }, ...records];
  const change = await readChange(
    world.file(lines.map((line) => JSON.stringify(line)).join("\n")),
    false,
    () => {},
  );
  await applyChange(world.store.engine, change, { allowRemovals: true });
}

const gone = (names: object) => ({ ...names, removed: true });
const whole = (names: object) => {
  const found = acme.find(isOf(names));
  if (found === undefined) throw new Error(`${JSON.stringify(names)} is not in Acme.`);
  return found;
};

/** The two ways in which a whole file is written. */
const WAYS: readonly [string, ImportOptions][] = [
  ["as a change", {}],
  ["as a new generation", { isWhole: () => true }],
];

/** What an import adds although `apply` removed it; unless `isWhole`, only where a new generation is written. */
export function exerciseReturned(open: OpenPlace, isWhole: boolean): void {
  describe.each(isWhole ? WAYS : WAYS.slice(1))("written %s", (_, way) => {
    const options = { ...way, allowRemovals: true, allowEmpty: true };
    const told = async (world: World, records: readonly SnapshotRecord[] = acme) =>
      (await world.import(records, options)).returned.map(({ kind, member, team, content, removed }) =>
        [kind, member, team, content, removed.revision].filter((part) => part !== undefined).join(" "),
      );

    test("names each record once, with the revision that removed it", async () => {
      await using world = await opened(open);
      expect(await told(world)).toEqual([]);
      await apply(world, gone(TEAM), gone(GIVEN));
      await apply(world, gone(OF_TEAM));
      await apply(world, { ...gone(DANA), with: "all" });
      expect((await world.import(acme, { ...options, dryRun: true })).returned.length).toBeGreaterThan(3);
      const found = await told(world);
      expect(found.filter((each) => !each.includes("dana"))).toEqual([
        "teamMember ana docs 2",
        "permission kofi@partner.example collection/developer-docs 2",
        "permission docs collection/handbook 3",
      ]);
      expect(found).toContain("member dana 4");
      await world.import(
        acme.filter((record) => !isOf(TEAM)(record)),
        options,
      );
      expect(await told(world)).toEqual([]);
    });

    test("the latest change counts: not what a whole file removed, but what apply removed again", async () => {
      await using world = await opened(open);
      await world.import(acme, options);
      await apply(world, gone(GIVEN));
      await apply(world, whole(GIVEN));
      await world.import(
        acme.filter((record) => !isOf(GIVEN)(record)),
        options,
      );
      expect(await told(world)).toEqual([]);
      await world.import(
        acme.filter((record) => !isOf(GIVEN)(record)),
        options,
      );
      await apply(world, whole(GIVEN));
      await apply(world, gone(GIVEN));
      expect(await told(world)).toEqual(["permission kofi@partner.example collection/developer-docs 8"]);
    });

    test("may be refused, before the guard, and nothing is changed", async () => {
      await using world = await opened(open);
      await world.import(acme, options);
      await apply(world, gone(GIVEN));
      const few = acme.filter(({ object }) => object !== "teamMember");
      for (const records of [acme, few]) {
        const refused = world.import(records, { ...way, refuseReturned: true });
        await expect(refused).rejects.toThrow(RefusedImport);
        await expect(refused).rejects.toThrow(
          "Refused by --refuse-returned: 1 record would come back. Nothing was changed.",
        );
      }
      await expect(world.import(few, way)).rejects.toThrow("24 of 24 team memberships would go");
      expect((await told(world)).length).toBe(1);
      await world.import(acme, { ...options, refuseReturned: true });
    });
  });
}
