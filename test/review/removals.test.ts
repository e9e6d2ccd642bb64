/** The change file of a review removes what the oracle says can go, and announces every role that it changes. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { removalFile } from "../../src/cli/review/preview.ts";
import { outcomesOf, type RowOutcome } from "../../src/review/decided/outcomes.ts";
import { pairOf } from "../../src/review/decided/row.ts";
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import { organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/organizations.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { type Decided, removable, rolesIn } from "../oracle/review.ts";
import { inWorld } from "../why/world.ts";
import { ownPlace, type World } from "../world.ts";
import { currentReading, decidedRows } from "./decided-rows.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 15);
const WORDS = ["remove", "remove", "Remove ", "keep", "", ""] as const;

/** Decides at random, removes what can be removed, and says what that did: how many removals and proposals, by word. */
async function decideAndRemove(
  world: World,
  records: readonly SnapshotRecord[],
  organization: string,
  choices: readonly number[],
): Promise<string[]> {
  const rows = (await decidedRows(world, organization)).map((row, index) => {
    const choice = choices[(index * 7) % choices.length] ?? 0;
    return { ...row, decision: WORDS[(choice + index) % WORDS.length] ?? "" };
  });
  const decided: Decided = new Map(
    rows.map(({ content, user, decision }) => {
      const word = decision.trim().toLowerCase();
      return [pairOf(content, user), word === "remove" ? "remove" : word === "keep" ? "keep" : ""] as const;
    }),
  );
  const reading = await currentReading(world, organization);
  const found: RowOutcome[] = [];
  for await (const each of outcomesOf(reading, rows, "nobody")) found.push(each);
  const { text, removals, lines } = await removalFile(reading, found);
  const expected = removable(records, organization, decided);
  expect(removals).toBe(expected.gone.size);
  const [had, has] = [rolesIn(expected.before), rolesIn(expected.after)];
  const announced = lines.filter(({ what }) => what !== "left" && what !== "proposal");
  expect(announced.map(({ content, user, after }) => [pairOf(content, user), after]).sort()).toEqual(
    [...had].flatMap(([pair, role]) => (has.get(pair) === role ? [] : [[pair, has.get(pair) ?? ""]])).sort(),
  );
  expect(
    lines.flatMap(({ what, content, user }) => (what === "left" ? pairOf(content, user) : [])).sort(),
  ).toEqual(
    [...decided].flatMap(([pair, word]) => (word === "remove" && has.has(pair) ? [pair] : [])).sort(),
  );
  for (const [index, { what }] of lines.entries())
    if (what === "left") expect(lines[index + 1]?.what).toBe("proposal");

  const change = await readChange(world.file(text, "removals.ndjson"), true, () => {});
  await applyChange(world.store.engine, change, { allowRemovals: true });
  const then = await decidedRows(world, organization);
  expect(then.map(({ content, user, role }) => [pairOf(content, user), role]).sort()).toEqual(
    [...has].sort(),
  );
  return lines.map(({ what, note }) => (what === "proposal" ? note.replace(/ .*/, "") : what));
}

test("removes what can go without anybody else, and says what it changes and what it leaves", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      organizations({ maxPermissions: 50, minPermissions: 10, minContents: 3, minMembers: 3 }),
      fc.array(fc.nat(WORDS.length - 1), { minLength: 1, maxLength: 12 }),
      async (records, choices) => {
        await inWorld(ownPlace, async (world) => {
          await world.import(records);
          for (const organization of organizationIds(records)) {
            for (const each of await decideAndRemove(world, records, organization, choices)) seen.add(each);
          }
        });
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
  if (RUNS > 10) {
    expect([...seen]).toEqual(expect.arrayContaining(["lost", "lowered", "left", "take", "close", "give"]));
  }
});
