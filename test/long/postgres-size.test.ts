import { expect, test } from "vitest";
import { sweep } from "../../src/store/rows/prune.ts";
import { usePostgres } from "../postgres/use.ts";
import { shape } from "../store/shape.ts";
import { World } from "../world.ts";
import { writeReliability } from "../../bench/harness/result.ts";
import { keepHistory } from "../directly.ts";

const MEMBERS = 20_000;
const IMPORTS = 20;
/** After this many imports, the tables have as many generations as are ever stored at the same time. */
const SETTLED = 4;

const postgres = usePostgres();

test("imports leave PostgreSQL's tables no larger than the kept revisions", async () => {
  const world = await World.open(() => postgres.places.open());
  const { engine } = world.store;
  await keepHistory(engine, 0);
  const { bytes: empty } = await engine.size();
  const sizes: number[] = [];
  for (let round = 0; round < IMPORTS; round++) {
    // Deletes old generations before each import, as if more than a minute had passed since the last one.
    await engine.importing(
      (staging) => sweep(staging, -1),
      () => {},
    );
    const records = shape(MEMBERS).map((record) =>
      record.object === "user" ? { ...record, displayName: `Name ${round}` } : record,
    );
    await world.import(records);
    sizes.push((await engine.size()).bytes - empty);
  }
  await world.close();
  const [first = 0] = sizes;
  const settled = Math.max(...sizes.slice(0, SETTLED));
  const last = sizes.at(-1) ?? 0;
  const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  writeReliability("Twenty imports on PostgreSQL", {
    "members, of whom every one changes with each import": MEMBERS,
    "after the first import": mebibytes(first),
    [`largest of the first ${SETTLED}, when all that is kept at once is there`]: mebibytes(settled),
    [`after ${IMPORTS} imports`]: mebibytes(last),
  });
  expect(last).toBeLessThan(1.1 * settled);
});
