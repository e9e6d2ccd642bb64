/** Changes are written as rows, from which every revision is loaded as its records are. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { RecordChange } from "../../../src/domain/record-change.ts";
import { statement } from "../../../src/store/engine/engine.ts";
import type { Revision } from "../../../src/store/reading.ts";
import { FOREVER } from "../../../src/store/schema/as-of.ts";
import { expectEqual } from "../../model/expect-equal.ts";
import { changesBetween, modelOf } from "../../model/model-of.ts";
import { type Facts, factsOf } from "../../oracle/facts.ts";
import { ownPlace } from "../../world.ts";
import { changed, checkHistories } from "./applied.ts";
import { isIn, LONG, MANY } from "./long-lists.ts";
import { apply, found, loaded, withRows } from "./place.ts";
import { holds } from "../../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);

test("random changes, loaded as of each revision", async () => {
  await withRows(ownPlace, async (engine) => {
    await checkHistories(engine, RUNS, async (id, states) => {
      const past: (readonly [Revision, Facts])[] = [];
      for await (const state of states) past.push(state);
      for (const [at, facts] of past) {
        const { model } = await loaded(engine, at);
        expectEqual({ ...model, organization: { id, title: id } }, modelOf(facts));
      }
    });
  });
});

test("lists that go on in parts, whatever comes and goes in them", async () => {
  await withRows(ownPlace, async (engine) => {
    await found(engine, "o", 1);
    let before = factsOf(LONG, "o");
    const past: (readonly [Revision, Facts])[] = [
      [await apply(engine, "o", changed(undefined, before)), before],
    ];
    const parts = fc.array(fc.tuple(fc.nat(MANY), fc.nat(MANY), fc.boolean()), {
      minLength: 1,
      maxLength: 3,
    });
    await holds(
      fc.asyncProperty(parts, async (stretches) => {
        const after = factsOf(
          LONG.filter((record) => !isIn(record, stretches)),
          "o",
        );
        past.push([await apply(engine, "o", changesBetween(before, after)), after]);
        before = after;
        for (const [part, ...lists] of await engine.read(LISTS)) {
          const lengths = lists.map((list) => list.split(";").length - 1);
          expect(Math.max(...lengths)).toBeLessThanOrEqual(500);
          if (part !== 0) expect(Math.max(...lengths)).toBeGreaterThan(0);
        }
      }),
      { numRuns: 5 + RUNS },
    );
    for (const [at, facts] of past) expectEqual((await loaded(engine, at)).model, modelOf(facts));
  });
});

test("a change of what is not there is refused, and changes nothing", async () => {
  await withRows(ownPlace, async (engine) => {
    const at = await found(engine, "o", 1);
    const records: RecordChange[] = [
      {
        kind: "user",
        member: "ana",
        was: undefined,
        becomes: '{"object":"user","id":"ana","displayName":"A"}',
      },
      { kind: "member", member: "ana", was: undefined, becomes: "1" },
    ];
    const unfit: RecordChange = {
      kind: "teamMember",
      team: "t",
      member: "ana",
      was: undefined,
      becomes: "owner",
    };
    await expect(apply(engine, "o", [...records, unfit])).rejects.toThrow("name t, which is not there");
    const { model } = await loaded(engine, at);
    expect(model.members.count).toBe(0);
    const next = await apply(engine, "o", records);
    const wrong: RecordChange = {
      kind: "teamMember",
      team: "t",
      member: "ana",
      was: "owner",
      becomes: "member",
    };
    const team: RecordChange = { kind: "team", team: "t", was: undefined, becomes: '{"title":"T"}' };
    await expect(apply(engine, "o", [team, wrong])).rejects.toThrow("do not have what a changed record was");
    expect((await loaded(engine, next)).model.teams.count).toBe(0);
  });
});

/** The lists of all rows that hold now. */
const LISTS = statement<[part: number, list: string, other: string]>(
  () => `
    SELECT part, teams, permissions FROM member_row WHERE until = ${FOREVER}
      UNION ALL SELECT part, teams, '' FROM content_row WHERE until = ${FOREVER}
      UNION ALL SELECT part, teams, spaces FROM site_row WHERE until = ${FOREVER}`,
);
