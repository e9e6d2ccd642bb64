/** What callers of a server notice while `rolebook apply --follow` changes the organization. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../harness/bench.ts";
import { knock } from "../harness/knock.ts";
import { changes, growing } from "../harness/records.ts";
import type { Put } from "../harness/result.ts";
import { MAIN, serve } from "../harness/rolebook.ts";
import { percentile } from "../harness/spread.ts";
import { copied, type World } from "../harness/world.ts";

const RECORDS = 10;
/** The pauses after a batch, after a page, after a page of a walk and after one of the past, in milliseconds. */
const PAUSES = { batch: 100, page: 4, walk: 1_000, past: 3_000 };
/** How long one round takes, without changes and with them, and a round with walks, in milliseconds. */
const STRETCH = 3_000;
const WALKING = 12_000;
const WALKS = 200;
const CHANGED = "100 records a second";
const WALKED = `the same, beside ${WALKS} walks`;
/** The number of changes whose visibility is measured. */
const SEEN = 30;

/** A page, as far as it is looked at. */
interface Page {
  readonly revision: number;
  readonly next?: { readonly page: string };
  readonly items: readonly { readonly user: { readonly id: string } }[];
}

export async function following(bench: Bench, put: Put): Promise<void> {
  for (const original of bench.worlds) {
    using world = copied(original, "followed");
    const ground = growing((await bench.drawerOf(original)).directory.model);
    await followed(world, ground, bench, put);
  }
}

async function followed(
  world: World,
  ground: ReturnType<typeof growing>,
  { rounds, log }: Bench,
  put: Put,
): Promise<void> {
  const server = await serve(world, { log, env: { BENCH_TURNS: "1" } });
  const knocking = knock(server.url);
  const args = ["apply", "--follow", "--allow-removals", "--database", world.url, "-"];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  /** Applies a batch. Resolves when its answer arrives. */
  const send = async (records = RECORDS): Promise<void> => {
    const lines = changes(ground, records);
    const end = JSON.stringify({ object: "end", records: lines.split("\n").length });
    child.stdin.write(`${lines}\n${end}\n`);
    const { value } = await answers.next();
    const { outcome }: { outcome: string } = JSON.parse(String(value));
    if (outcome !== "changed" && outcome !== "unchanged")
      throw new Error(`a batch ended like this: ${value}`);
  };
  let refused = 0;
  /** Asks again as long as too many wait for what is being loaded. */
  const get = async (path: string): Promise<Page> => {
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${world.token}` } });
    const text = await response.text();
    if (response.ok)
      return { ...JSON.parse(text), revision: Number(response.headers.get("x-rolebook-revision")) };
    if (response.status !== 503) throw new Error(`${path}: ${response.status} ${text}`);
    refused++;
    await sleep(1_000);
    return get(path);
  };
  let asked = 0;
  /** The first page of another space, with another limit, so that none is cached. */
  const another = (): string => {
    const space = ground.spaces[(asked * 61) % ground.spaces.length] ?? "";
    return `/v1/spaces/${space}/permissions/aggregate?limit=${50 + (asked++ % 50)}`;
  };
  const page = () => get(another());
  const past = async () => {
    const { revision } = await page();
    const earlier = world.revision + Math.floor(Math.random() * (revision - world.revision));
    await get(`/at/${earlier}${another()}`);
  };
  /** A page of a walk after the other. Throws if something is listed twice, or of another revision. */
  const walk = () => {
    const first = another();
    let last: Page | undefined;
    return async () => {
      const next = last?.next?.page;
      const found = await get(next === undefined ? first : `${first}&page=${next}`);
      const [before, after] = [last?.items.at(-1)?.user.id ?? "", found.items[0]?.user.id ?? ""];
      const isNext = next === undefined || (found.revision === last?.revision && before < after);
      if (!isNext) throw new Error(`${first}: ${after} follows ${before}`);
      last = found;
    };
  };

  const [quiet, busy, visible]: [number[], number[], number[]] = [[], [], []];
  try {
    // Round 0 warms up the code.
    for (let round = 0; round <= rounds; round++) {
      const until = performance.now() + STRETCH;
      const usual = await repeated(until, PAUSES.page, page);
      if (round === 1) {
        await knocking.longest();
        await server.sample();
      }
      const [times] = await Promise.all([
        repeated(until + STRETCH, PAUSES.page, page),
        repeated(until + STRETCH, PAUSES.batch, send),
      ]);
      if (round === 0) continue;
      quiet.push(...usual);
      busy.push(...times);
    }
    put(world.size, CHANGED, "another waits, ms", await knocking.longest());
    put(world.size, CHANGED, "longest turn in CPU ms", (await server.sample()).longestTurn / 1000);
    for (let change = 0; change < SEEN; change++) {
      const { revision } = await page();
      const begin = performance.now();
      const answered = send(1);
      let isSeen = false;
      while (!isSeen && performance.now() - begin < STRETCH) {
        await sleep(1);
        isSeen = (await page()).revision > revision;
      }
      // What the organization has already makes no revision.
      if (isSeen) visible.push(performance.now() - begin);
      await answered;
    }
    const until = performance.now() + WALKING * rounds;
    const [times] = await Promise.all([
      repeated(until, PAUSES.page, page),
      repeated(until, PAUSES.batch, send),
      repeated(until, PAUSES.past, past),
      ...Array.from({ length: WALKS }, () => repeated(until, PAUSES.walk, walk())),
    ]);
    put(world.size, WALKED, "p99 of pages meanwhile, ms", percentile(times, 99));
    put(world.size, WALKED, "refused", refused);
    put(world.size, WALKED, "memory, MB", (await server.sample()).rss / 2 ** 20);
  } finally {
    await knocking.stop();
    child.stdin.end();
    await once(child, "exit");
    await server.stop();
  }
  put(world.size, CHANGED, "p99 of pages, ms", percentile(quiet, 99));
  put(world.size, CHANGED, "p99 of pages meanwhile, ms", percentile(busy, 99));
  put(world.size, "one record", "visible after, ms", visible);
}

/** Calls `turn` until a time, with a pause in ms after each call. Returns the durations in ms. */
async function repeated(until: number, rest: number, turn: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  while (performance.now() < until) {
    const begin = performance.now();
    await turn();
    took.push(performance.now() - begin);
    await sleep(rest);
  }
  return took;
}
