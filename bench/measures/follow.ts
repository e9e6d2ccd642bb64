/** The pages of a server while `rolebook apply --follow` applies ten batches of ten records a second. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bench } from "../harness/bench.ts";
import { changes } from "../harness/records.ts";
import type { Put } from "../harness/result.ts";
import { MAIN, serve } from "../harness/rolebook.ts";
import { percentile } from "../harness/spread.ts";
import type { Ground } from "./changes.ts";

const RECORDS = 10;
const A_SECOND = 10;
/** How long one round takes, without changes and with them; and the pause between two pages, in milliseconds. */
const STRETCH = 3_000;
const REST = 4;
/** The number of batches whose visibility is measured. */
const SEEN = 30;

export async function following(ground: Ground, { rounds, log }: Bench, put: Put): Promise<void> {
  const { world, spaces } = ground;
  const server = await serve(world, { log });
  const args = ["apply", "--follow", "--allow-removals", "--database", world.url, "-"];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  /** Applies a batch. Resolves when its answer arrives. */
  const send = async (): Promise<void> => {
    const lines = changes(ground, RECORDS);
    const end = JSON.stringify({ object: "end", records: lines.split("\n").length });
    child.stdin.write(`${lines}\n${end}\n`);
    const { value } = await answers.next();
    const { outcome }: { outcome: string } = JSON.parse(String(value));
    if (outcome !== "changed") throw new Error(`a batch ended like this: ${value}`);
  };
  let asked = 0;
  /** Reads the first page of another space, with another limit, so that none is cached. Returns its revision. */
  const page = async (): Promise<string | null> => {
    const space = spaces[(asked * 61) % spaces.length] ?? "";
    const path = `/v1/spaces/${space}/permissions/aggregate?limit=${50 + (asked++ % 50)}`;
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${world.token}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await response.arrayBuffer();
    return response.headers.get("x-rolebook-revision");
  };

  const [quiet, busy, visible]: [number[], number[], number[]] = [[], [], []];
  try {
    // Round 0 warms up the code.
    for (let round = 0; round <= rounds; round++) {
      for (const times of [quiet, busy]) {
        const until = performance.now() + STRETCH;
        const [read] = await Promise.all([
          repeated(until, REST, page),
          times === busy ? repeated(until, 1_000 / A_SECOND, send) : [],
        ]);
        if (round > 0) times.push(...read);
      }
    }
    for (let batch = 0; batch < SEEN; batch++) {
      const before = await page();
      const begin = performance.now();
      const answered = send();
      while ((await page()) === before) await sleep(1);
      visible.push(performance.now() - begin);
      await answered;
    }
  } finally {
    child.stdin.end();
    await once(child, "exit");
    await server.stop();
  }
  const name = "100 records a second";
  put(world.size, name, "p99 of pages, ms", percentile(quiet, 99));
  put(world.size, name, "p99 of pages meanwhile, ms", percentile(busy, 99));
  put(world.size, name, "visible after, ms", visible);
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
