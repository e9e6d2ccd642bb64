import { expect, test } from "vitest";
import { importFiles } from "../../../src/snapshot/import.ts";
import { statement } from "../../../src/store/engine/engine.ts";
import { sweep } from "../../../src/store/rows/prune.ts";
import { AS_GENERATIONS } from "../writing/imports.ts";
import { readConsistently } from "../../../src/store/revisions/consistent-read.ts";
import { openEngine } from "../../../src/store/engine/open.ts";
import { reportRows } from "../../../src/store/report.ts";
import { acme } from "../../examples/acme.ts";
import { linesAt } from "../../exported.ts";
import { type SnapshotRecord, toLines } from "../../oracle/records.ts";
import { type OpenPlace, World } from "../../world.ts";
import { keepHistory } from "../../directly.ts";
import { nextMillisecond } from "../../setup/until.ts";

const CONTENTS = statement<[contents: number]>(
  () => "SELECT count(*) FROM content_row WHERE generation = $1",
);

/** Long reads are consistent, even if their revision is replaced and deleted meanwhile. */
export function exerciseConsistentReads(open: OpenPlace): void {
  test("an export and a report are of one revision, whatever other processes do", async () => {
    const world = await World.open(open);
    try {
      await world.import(acme);
      const undisturbed = await readConsistently(world.store, "acme", (at, reader) =>
        readAll(world, at, reader),
      );
      const disturbed = await readConsistently(world.store, "acme", async (at, reader) => {
        const found = await readAll(world, at, reader, () => replaceTwice(world));
        // All other readers see that the revision is deleted.
        expect(await world.store.engine.read(CONTENTS, at.revision)).toEqual([[0]]);
        return found;
      });
      expect(disturbed).toEqual(undisturbed);
      expect(disturbed.rows.length).toBeGreaterThan(500);
    } finally {
      await world.close();
    }
  });
}

type ConsistentRead = Parameters<Parameters<typeof readConsistently>[2]>;

/** Reads a report and an export. `between` runs after the first part of the report. */
async function readAll(
  world: World,
  at: ConsistentRead[0],
  reader: ConsistentRead[1],
  between = async () => {},
) {
  const rows: string[] = [];
  for await (const part of reportRows(world.store.reading(at, reader), {})) {
    if (rows.length === 0) await between();
    rows.push(...part.rows.map((row) => JSON.stringify(row)));
  }
  return { rows, lines: await linesAt(world.store, at, reader) };
}

/** Imports twice as another process does, and then deletes old rows. */
async function replaceTwice(world: World): Promise<void> {
  const engine = await openEngine(world.url);
  try {
    await keepHistory(engine, 0);
    for (const title of ["Second", "Third"]) {
      const own: SnapshotRecord = { object: "organization", id: "acme", title };
      const others = acme.filter(({ object }) => object !== "permission" && object !== "organization");
      await importFiles(engine, [world.file(toLines([own, ...others]))], AS_GENERATIONS);
    }
    // Only what was released before now is deleted.
    await nextMillisecond();
    await engine.importing(
      (staging) => sweep(staging, 0),
      () => {},
    );
  } finally {
    await engine.close();
  }
}
