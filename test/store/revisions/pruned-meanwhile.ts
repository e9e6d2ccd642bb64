import { expect, test } from "vitest";
import { openEngine } from "../../../src/store/engine/open.ts";
import { readTwoConsistently } from "../../../src/store/revisions/consistent-read.ts";
import { contentDifferences } from "../../../src/model/summary.ts";
import { compare } from "../../../src/store/revisions/diff/diff.ts";
import { changeHistory } from "../../../src/store/revisions/history.ts";
import { sweep } from "../../../src/store/rows/prune.ts";
import { acme } from "../../examples/acme.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { type OpenPlace, World } from "../../world.ts";
import { peopleIn, rowsOf, whole } from "./diff/whole.ts";
import { endedRows } from "./ended.ts";
import { never } from "../writing/imports.ts";

/** Team Writers gets edit instead of comment, and Ana leaves. */
const next = acme.flatMap((record): SnapshotRecord[] => {
  if (("user" in record && record.user === "ana") || (record.object === "user" && record.id === "ana"))
    return [];
  const isWriters = record.object === "permission" && record.team === "writers";
  return [isWriters ? { ...record, permission: "edit" } : record];
});

const last = next.filter((record) => record.object !== "permission");

/** Another process prunes revisions while they are read. It does so at more steps of the read if `isWhole`. */
export function exercisePrunedMeanwhile(open: OpenPlace, isWhole: boolean): void {
  test("a diff of revisions that are pruned meanwhile is complete or refused, at any stage", async () => {
    const read = new Set<string>();
    // Prunes at one step of the diff in each run; in the last run, not at all.
    for (const at of isWhole ? [0, 1, 2, 3, 4, undefined] : [3, undefined]) {
      const { world, prune } = await withPast(open);
      try {
        let step = 0;
        const told = differenceOf(
          world,
          async () => (step++ === at ? prune() : undefined),
          (text) => read.add(text),
        );
        if (at === undefined) expect((await told).split("\n").length).toBeGreaterThan(40);
        else {
          await expect(told).rejects.toThrow("Revision 1 is no longer kept; nothing was written.");
          expect(await endedRows(world)).toEqual([]);
        }
      } finally {
        await world.close();
      }
    }
    // Everything that was read before a final refusal was consistent, too.
    expect(read.size).toBe(1);
  });

  test("a walk of a revision that is pruned meanwhile is complete or refused", async () => {
    const { world, prune } = await withPast(open);
    try {
      const token = await world.token("acme");
      const path = "/at/1/v1/spaces/changelog/permissions/aggregate";
      const whole = await world.walk(path, token);
      expect(whole.length).toBeGreaterThan(5);
      let pruned: Promise<void> | undefined;
      for (let refused = 0; refused < 3;) {
        const walk = world.walk(path, token, [1, 2], async () => void (pruned ??= prune()));
        const found = await walk.catch((error: unknown) => String(error));
        if (typeof found !== "string") expect(found).toEqual(whole);
        else {
          expect(found).toMatch(/: 404 .*There is no revision/);
          refused++;
        }
      }
      await pruned;
    } finally {
      await world.close();
    }
  });
}

/** Three revisions of Acme, and another process that sets the shortest history and prunes. */
async function withPast(
  open: OpenPlace,
): Promise<{ readonly world: World; readonly prune: () => Promise<void> }> {
  const world = await World.open(open);
  const isWhole = () => false;
  for (const records of [acme, next, last]) {
    await world.import(records, { allowRemovals: true, allowEmpty: true, isWhole });
  }
  const prune = async () => {
    const engine = await openEngine(world.url);
    try {
      await engine.importing(async (staging) => {
        await changeHistory(engine, staging, 0);
        await sweep(staging, -1);
      }, never);
    } finally {
      await engine.close();
    }
  };
  return { world, prune };
}

/** The difference between the first two revisions. `hear` receives the output before the final check. */
async function differenceOf(
  { store }: World,
  reached: () => Promise<void>,
  hear: (text: string) => void,
): Promise<string> {
  const when = (revision: number) =>
    ({ spelt: `${revision}`, when: { kind: "revision", revision } }) as const;
  const whens = { from: when(1), to: when(2) };
  return readTwoConsistently(store, "acme", whens, async ({ from, to }, reader) => {
    const lines: unknown[] = [];
    await reached();
    const [before, after] = [store.reading(from, reader), store.reading(to, reader)];
    const diff = await compare({ before, after });
    await reached();
    lines.push(...peopleIn(diff));
    await reached();
    for (const { content, counts } of whole(contentDifferences(diff))) lines.push([content, counts]);
    await reached();
    lines.push(
      ...rowsOf(diff).map(({ content, user, before: had, after: has }) => [content, user.id, had, has]),
    );
    await reached();
    const text = lines.map((line) => JSON.stringify(line)).join("\n");
    hear(text);
    return text;
  });
}
