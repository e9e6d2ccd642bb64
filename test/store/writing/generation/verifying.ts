import { expect, test } from "vitest";
import { verify } from "../../../../src/snapshot/verify.ts";
import { statement } from "../../../../src/store/engine/engine.ts";
import { acme } from "../../../examples/acme.ts";
import { type OpenPlace, World } from "../../../world.ts";
import { compareAll } from "../../listings/listings.ts";
import { writeDirectly } from "../../../directly.ts";

const OPTIONS = { repair: false, waiting: () => {} };

/** Statements that damage a table, and the table that `verify` must report. */
const DAMAGES: readonly (readonly [table: string, sql: string])[] = [
  ["container", "DELETE FROM container WHERE universe = 0 AND chunk = -1 AND name = 'role/read'"],
  ["team", "UPDATE team SET members = members + 1"],
  ["member", "UPDATE member SET teams = 'nobody' WHERE id = (SELECT min(id) FROM member)"],
  ["catalog", "DELETE FROM catalog WHERE list = 'sites'"],
  ["search", "DELETE FROM search WHERE thing LIKE 'team/%'"],
  ["place", "UPDATE place SET position = position + 2000 WHERE universe = 0"],
  ["container", "UPDATE content SET direct_edit = NULL"],
  ["content", "UPDATE content SET teams = ''"],
];

/** `rolebook verify` finds and repairs differences from the records: all of {@link DAMAGES} if `isWhole`, else two. */
export function exerciseVerifying(open: OpenPlace, isWhole: boolean): void {
  test("a table that differs from the records is found and repaired; a correct one is not rewritten", async () => {
    const world = await World.open(open);
    try {
      await world.import(acme);
      expect((await verify(world.store, "acme", { ...OPTIONS, repair: true })).findings).toEqual([]);
      expect((await world.store.registry.organization("acme"))?.current.revision).toBe(1);
      for (const [table, sql] of DAMAGES.filter((_, index) => isWhole || index % 5 === 0)) {
        await writeDirectly(
          world.store.engine,
          statement<never>(() => sql),
        );
        const found = await verify(world.store, "acme", OPTIONS);
        expect(
          found.findings.map((each) => each.table),
          sql,
        ).toContain(table);
        const { repaired } = await verify(world.store, "acme", { ...OPTIONS, repair: true });
        expect(repaired).toBeGreaterThan(1);
        expect((await verify(world.store, "acme", OPTIONS)).findings).toEqual([]);
      }
      await compareAll(world, acme, [1000], isWhole ? 3 : 15);
    } finally {
      await world.close();
    }
  });
}
