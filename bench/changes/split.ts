/**
 * Measures changes that split a full chunk of members, and the pages read meanwhile. Changes the database in the
 * folder.
 *
 *     node bench/changes/split.ts --folder DIR [--size L] [--splits 8]
 *
 * Prints Markdown.
 */
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { FILL, SLOTS } from "../../src/sets/position.ts";
import { again, followed, served } from "./beside.ts";
import { onSqlite } from "./ground.ts";
import { ORGANIZATION } from "../data/identity.ts";
import { parseSize } from "../data/sizes.ts";
import { percentile, spread } from "../figures/spread.ts";
import { few, markdown } from "../work/section.ts";

/**
 * How long pages are measured without a change before each change, and the pause between two pages, in milliseconds.
 */
const QUIET = 1_000;
const REST = 1;

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: "/dev/shm/bench" },
    size: { type: "string", default: "L" },
    splits: { type: "string", default: "8" },
  },
});

/** A change file that adds one member directly after each of the given ids. */
function joining(after: readonly string[], mark: string): string {
  const lines: object[] = [{ object: "changes", organization: ORGANIZATION }];
  for (const id of after) {
    const user = `${id}-${mark}`;
    lines.push({ object: "user", id: user, displayName: `Joined ${mark}` });
    lines.push({ object: "member", organization: ORGANIZATION, user, role: "read" });
  }
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

const ground = await onSqlite(parseSize(values.size), values.folder);
const database = new DatabaseSync(ground.url.slice("sqlite:".length), { readOnly: true });
const chunks = database
  .prepare("SELECT chunk FROM chunk WHERE universe = 0 AND used = ? ORDER BY chunk LIMIT ? OFFSET 1")
  .all(FILL, Number(values.splits));
const open = () =>
  Number(database.prepare("SELECT count(*) AS open FROM chunk WHERE universe = 0").get()?.["open"]);
const ids = database.prepare("SELECT id FROM member WHERE position >= ? AND position < ? ORDER BY position");

const quiet: number[] = [];
const busy: number[] = [];
const one: number[] = [];
const split: number[] = [];
await using serving = await served(ground);
await using following = followed(ground.url);
/**
 * Applies a change file, and adds the durations (ms) of the pages read meanwhile to `pages`. Returns the duration of
 * the change in ms.
 */
async function changing(lines: string, pages: number[]): Promise<number> {
  const begin = performance.now();
  const ended = new AbortController();
  const change = following.batch(lines).finally(() => ended.abort());
  const took = change.then(() => performance.now() - begin);
  while (!ended.signal.aborted) {
    pages.push(...(await again(performance.now() + REST, REST, () => serving.page())));
  }
  return took;
}

for (const { chunk } of chunks) {
  const at = Number(chunk) * SLOTS;
  const keys = ids.all(at, at + SLOTS).map(({ id }) => String(id));
  const everyThird = keys.filter((_, index) => index % 3 === 0).slice(0, SLOTS - FILL - 1);
  await changing(joining(everyThird, "full"), []);
  one.push(await changing(joining(keys.slice(100, 101), "last"), []));
  const before = open();
  await sleep(QUIET);
  quiet.push(...(await again(performance.now() + QUIET, REST, () => serving.page())));
  split.push(await changing(joining(keys.slice(FILL / 2, FILL / 2 + 1), "split"), busy));
  if (open() === before) throw new Error(`Chunk ${String(chunk)} was not split.`);
}
database.close();
await ground.engine.close();
const [p99, p99Busy] = [percentile(quiet, 99), percentile(busy, 99)];
console.log(
  markdown([
    [
      "size",
      "splits",
      "a change without one, ms",
      "with one, ms",
      "pages p99, ms: quiet",
      "meanwhile",
      "ratio",
      "pages meanwhile",
    ],
    [
      values.size,
      String(split.length),
      few(spread(one)),
      few(spread(split)),
      p99.toFixed(1),
      p99Busy.toFixed(1),
      (p99Busy / p99).toFixed(2),
      String(busy.length),
    ],
  ]),
);
