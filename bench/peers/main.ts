/**
 * Compares Rolebook with other systems (peers) on one page of an aggregate of the same organization. All answers must
 * be equal.
 *
 *     node bench/peers/main.ts [--sizes S,M] [--spicedb S,M] [--seed 1]
 *
 * Prints Markdown.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { landmarks } from "../data.ts";
import { identity } from "../data/identity.ts";
import { layout } from "../data/layout.ts";
import { type Size, parseSize } from "../data/sizes.ts";
import { prepare, serve } from "../server/rolebook.ts";
import { show, spread } from "../figures/spread.ts";
import { type Guest, startGuest } from "./guest.ts";
import type { Entry, Way } from "./peer.ts";
import { type Walker, walker } from "./rolebook.ts";

const LIMIT = 50;
const ROUNDS = 3;
/** The number of pages that Rolebook answers per round. Their median is the figure of the round. */
const PAGES = 20;

const WARM_PAGES = 3000;
const DIFFER = "the answers differ";

interface Contender {
  readonly way: Way;
  readonly name: string;
  readonly guest: Guest;
}

interface Content {
  readonly name: string;
  readonly kind: "space" | "collection";
  readonly id: string;
}

function contents(size: Size, seed: number): Content[] {
  const marks = landmarks(size, seed);
  return [
    { name: "an open space", kind: "space", id: marks.ordinaryOpenSpace },
    { name: "a closed space", kind: "space", id: marks.ordinaryClosedSpace },
    { name: "the closed space with a permission for every team", kind: "space", id: marks.manyTeamsSpace },
    { name: "the space with a permission for a fifth of the members", kind: "space", id: marks.directSpace },
    { name: "the collection over half of the spaces", kind: "collection", id: marks.halfCollection },
  ];
}

/**
 * Compares the answer of a peer with the expected list: the whole list if the peer can return it, else a page in the
 * middle.
 */
async function check({ way, guest }: Contender, content: Content, expected: readonly Entry[]): Promise<void> {
  const paged = way === "accessThenCheck";
  const offset = paged ? Math.floor(expected.length / 2) : 0;
  const limit = paged ? LIMIT : expected.length + 1;
  const { entries } = await guest.ask(way, { ...content, offset, limit });
  assert.ok(isDeepStrictEqual(entries, expected.slice(offset, offset + limit)), DIFFER);
}

/** The figures of one peer, and their ratios to Rolebook's in the same rounds. */
interface Figures {
  readonly milliseconds: number[];
  readonly cpu: number[];
  readonly timeRatio: number[];
  readonly cpuRatio: number[];
}

async function compare(content: Content, contenders: readonly Contender[], client: Walker): Promise<void> {
  const expected = await client.all(content);
  const own: Figures = { milliseconds: [], cpu: [], timeRatio: [], cpuRatio: [] };
  const theirs = new Map<Contender, Figures>();
  const failures = new Map<Contender, string>();
  const attempt = async (contender: Contender, work: () => Promise<void>): Promise<void> => {
    if (failures.has(contender)) return;
    try {
      await work();
    } catch (error) {
      failures.set(contender, error instanceof Error ? error.message : String(error));
    }
  };
  for (const contender of contenders) await attempt(contender, () => check(contender, content, expected));
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each round has another limit, so that no page is cached.
    const mine = await client.time(content, LIMIT + round, PAGES);
    const time = spread(mine.milliseconds).median;
    own.milliseconds.push(time);
    own.cpu.push(mine.cpu);
    for (const contender of contenders) {
      await attempt(contender, async () => {
        const offset = Math.floor((expected.length * round) / ROUNDS);
        const question = { ...content, offset, limit: LIMIT };
        const { milliseconds, cpu } = await contender.guest.ask(contender.way, question);
        const all = theirs.get(contender) ?? { milliseconds: [], cpu: [], timeRatio: [], cpuRatio: [] };
        theirs.set(contender, all);
        all.milliseconds.push(milliseconds);
        all.cpu.push(cpu);
        all.timeRatio.push(milliseconds / time);
        all.cpuRatio.push(cpu / mine.cpu);
      });
    }
  }
  console.log(`\n**${content.name}**: ${expected.length} members with access\n`);
  console.log("| | ms a page | CPU ms a page | × Rolebook's ms | × Rolebook's CPU |\n|---|---|---|---|---|");
  console.log(`| Rolebook, over HTTP | ${few(own.milliseconds)} | ${few(own.cpu)} | 1 | 1 |`);
  for (const contender of contenders) {
    const failure = failures.get(contender);
    const all = theirs.get(contender);
    if (failure !== undefined || all === undefined) console.log(`| ${contender.name} | ${failure} | | | |`);
    else console.log(`| ${contender.name} | ${Object.values(all).map(few).join(" | ")} |`);
    if (failure === DIFFER) process.exitCode = 1;
  }
}

/** Formats median, least and greatest, with a number of digits that suits their size. */
function few(values: readonly number[]): string {
  const all = spread(values);
  return show(all, all.median < 1 ? 3 : all.median < 100 ? 1 : 0);
}

/** Warms up the server with pages that the comparison does not request. */
async function warm(size: Size, seed: number, client: Walker): Promise<void> {
  const { from, to } = layout(size, seed).ordinarySpaces;
  const ids = identity(seed);
  for (let pages = 0, space = from; pages < WARM_PAGES && space < to; space += 1) {
    const { milliseconds } = await client.time({ kind: "space", id: ids.space(space) }, LIMIT - 10, PAGES);
    pages += milliseconds.length;
  }
}

async function run(size: Size, seed: number, folder: string, withSpiceDB: boolean): Promise<void> {
  const prepared = await prepare(size, seed, folder);
  const server = await serve(prepared, { log: join(folder, "serve.log") });
  const client = walker(server, prepared.token);
  const plain = await startGuest("plain", size, String(seed));
  const spicedb = withSpiceDB ? await startGuest("spicedb", size, String(seed)) : undefined;
  try {
    console.log(`\n## Size ${size}\n\nRolebook: imported in ${prepared.importSeconds.toFixed(1)} s.`);
    console.log(`SQL: ${plain.loaded}.\nSpiceDB: ${spicedb?.loaded ?? "not measured"}.`);
    const contenders: Contender[] = [{ way: "plain", name: "one SQL query", guest: plain }];
    if (spicedb !== undefined) {
      contenders.push(
        { way: "perRole", name: "SpiceDB, LookupSubjects for each role", guest: spicedb },
        {
          way: "accessThenCheck",
          name: "SpiceDB, LookupSubjects, then CheckBulkPermissions",
          guest: spicedb,
        },
      );
    }
    await warm(size, seed, client);
    for (const content of contents(size, seed)) await compare(content, contenders, client);
  } finally {
    for (const guest of [plain, spicedb]) guest?.stop();
    client.stop();
    await server.stop();
  }
}

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "S,M" },
    spicedb: { type: "string", default: "S,M" },
    seed: { type: "string", default: "1" },
  },
});
const folder = mkdtempSync(join(tmpdir(), "bench-peers-"));
try {
  for (const size of values.sizes.split(",")) {
    await run(parseSize(size), Number(values.seed), folder, values.spicedb.split(",").includes(size));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
