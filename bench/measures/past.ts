/** Pages of past days beside the same pages now, after a year of daily changes, and what the past adds to the database. */
import { statSync } from "node:fs";
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { type Bench, largest } from "../harness/bench.ts";
import { costs, type Side } from "../harness/cost.ts";
import { changes, growing, pieces } from "../harness/records.ts";
import type { Put } from "../harness/result.ts";
import { serve } from "../harness/rolebook.ts";
import { ratio } from "../harness/spread.ts";
import { CHECKPOINT, copied, look } from "../harness/world.ts";

const DAYS = 365;
const RECORDS = 400;

export async function past(bench: Bench, put: Put): Promise<void> {
  const original = largest(bench);
  using world = copied(original, "past");
  const before = statSync(world.path).size;
  const engine = await openEngine(world.url);
  try {
    const source = await growing(engine);
    for (let day = 0; day < DAYS; day++) {
      const text = changes(source, RECORDS);
      const change = await readChange({ name: "bench", pieces: pieces(text) }, false, () => {});
      await applyChange(engine, change, { allowRemovals: true });
    }
    await engine.read(CHECKPOINT);
  } finally {
    await engine.close();
  }
  put(
    world.size,
    `${DAYS} days of ${RECORDS} records`,
    "MB added",
    (statSync(world.path).size - before) / 2 ** 20,
  );

  const database = look(world.path);
  const days = database.prepare("SELECT revision FROM revision ORDER BY revision").all();
  database.close();
  const [spaces, server] = [
    bench.drawerOf(original).directory.spaces,
    await serve(world, { log: bench.log }),
  ];
  let [drawn, round] = [0, 0];
  // All pages of a round are of one day, as a reader who looks at a day asks for them.
  const next = (ofDay: boolean) => () => {
    const day = ofDay ? `&revision=${String(days[(++round * 97) % days.length]?.["revision"])}` : "";
    return Array.from({ length: bench.pages }, () => {
      drawn += 1;
      return `/explorer/access?space=${spaces[(drawn * 61) % spaces.length]?.id}${day}`;
    });
  };
  const side = { server, token: world.token };
  try {
    const sides: Side[] = [false, true].map((ofDay) => ({ ...side, next: next(ofDay) }));
    const [now = [], then = []] = (await costs(bench, sides)).map(({ main }) => main);
    put(world.size, "first rows of a space in the explorer", "CPU µs now", now);
    put(world.size, "first rows of a space in the explorer", "a past day, × now", ratio(then, now));
  } finally {
    await server.stop();
  }
}
