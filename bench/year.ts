/**
 * Measures pages of past days after a year of daily changes, compared with the same pages now, and how much the past
 * adds to the size of the database.
 *
 *     node bench/year.ts [--folder DIR] [--size M] [--days 365] [--records 400]
 *
 * Prints a table. Changes the database in the folder, so use a folder of its own.
 */
import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { DatabaseSync } from "node:sqlite";
import { OPERATIONS } from "../src/operations/operations.ts";
import { readFilters } from "../src/operations/parameters.ts";
import { applyChange } from "../src/snapshot/changes/apply.ts";
import { readChange } from "../src/snapshot/changes/read.ts";
import { openEngine } from "../src/store/engine/open.ts";
import type { Revision } from "../src/store/reading.ts";
import { Documents } from "../src/store/memory/documents.ts";
import { Past } from "../src/store/revisions/past.ts";
import { Store } from "../src/store/store.ts";
import { changes, growing, pieces } from "./changes/records.ts";
import { ORGANIZATION } from "./data/identity.ts";
import { parseSize } from "./data/sizes.ts";
import { spread } from "./figures/spread.ts";
import { few, markdown } from "./work/section.ts";
import { makeWorld } from "./work/world.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: "/dev/shm/year" },
    size: { type: "string", default: "M" },
    days: { type: "string", default: "365" },
    records: { type: "string", default: "400" },
  },
});

const LIMIT = 50;
const ROUNDS = 60;
/** A page takes about 0.1 ms of CPU, which is too short to be measured by itself. */
const PAGES_A_ROUND = 10;

const world = await makeWorld(parseSize(values.size), 1, values.folder);
const store = new Store(await openEngine(`sqlite:${world.path}`));
const database = new DatabaseSync(world.path);
const before = sizeOf();
const source = await growing(store.engine);
for (let day = 0; day < Number(values.days); day++) {
  const text = changes(source, Number(values.records));
  const change = await readChange({ name: "bench", pieces: pieces(text) }, false, () => {});
  await applyChange(store.engine, change, { allowRemovals: true });
  if (day % 50 === 49) console.error(`${day + 1} days`);
}
const taken = (sizeOf() - before) / 2 ** 20;

const organization = await store.registry.organization(ORGANIZATION);
if (organization === undefined) throw new Error("The organization is missing.");
const revisions = database.prepare("SELECT revision FROM revision ORDER BY revision").all();

const past = new Past(store.engine);
const { marks } = world;
const SPACES = "listSpacesForOrganizationMember";
const ofMember = { organizationId: ORGANIZATION, userId: marks.ordinaryMember };
const PAGES: readonly (readonly [
  name: string,
  operation: string,
  path: Record<string, string>,
  order?: "asc",
])[] = [
  ["open space", "listPermissionsAggregateInSpace", { spaceId: marks.ordinaryOpenSpace }],
  ["closed space", "listPermissionsAggregateInSpace", { spaceId: marks.ordinaryClosedSpace }],
  ["direct permissions", "listUserPermissionsInSpace", { spaceId: marks.directSpace }],
  ["collection", "listPermissionsAggregateInCollection", { collectionId: marks.ordinaryCollection }],
  ["a member's spaces, newest first", SPACES, ofMember],
  ["a member's spaces, oldest first", SPACES, ofMember, "asc"],
];

/** The CPU of an uncached page, in milliseconds. */
const documents = new Documents();

async function cost(
  at: Revision,
  operation: string,
  path: Record<string, string>,
  order: "asc" | "desc" = "desc",
): Promise<number> {
  const wanted = OPERATIONS.find(({ id }) => id === operation);
  if (wanted === undefined) throw new Error(`There is no operation ${operation}.`);
  const begun = process.cpuUsage();
  for (let page = 0; page < PAGES_A_ROUND; page++) {
    store.cache.clear();
    await wanted.list(
      store.reading(at),
      { path, filters: { ...readFilters(new Map()), order }, page: { after: undefined, limit: LIMIT } },
      { publicUrl: "https://bench", documents },
    );
  }
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000 / PAGES_A_ROUND;
}

const rows: string[][] = [["page", "ms of CPU now", "a past day ÷ now"]];
for (const [name, operation, path, order] of PAGES) {
  const now: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const number = Number(revisions[(round * 97) % (revisions.length - 1)]?.["revision"]);
    const replaced = await past.byNumber(organization, number);
    if (replaced === undefined) throw new Error(`Revision ${number} cannot be read.`);
    const own = await cost(organization.current, operation, path, order);
    const then = await cost(replaced, operation, path, order);
    if (round < 5) continue;
    now.push(own);
    ratios.push(then / own);
  }
  rows.push([name, few(spread(now)), few(spread(ratios))]);
}
console.log(markdown(rows));
console.log(
  `${values.days} days of ${values.records} changed records took ${taken.toFixed(0)} MiB at size ${values.size}.`,
);

function sizeOf(): number {
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return statSync(world.path).size;
}

database.close();
await store.engine.close();
