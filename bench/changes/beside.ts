/** The latency of pages and token commands while an organization changes ten times per second. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { openEngine } from "../../src/store/engine/open.ts";
import { Store } from "../../src/store/store.ts";
import { createToken } from "../../src/store/tokens.ts";
import { ORGANIZATION } from "../data/identity.ts";
import { MAIN } from "../server/rolebook.ts";
import type { Ground } from "./ground.ts";
import { changes } from "./records.ts";

/** The number of records per batch, and of batches per second. */
const RECORDS = 10;
const A_SECOND = 10;
/**
 * How long one measurement takes, in milliseconds. Measurements without changes (quiet) and with changes (busy)
 * alternate.
 */
const STRETCH = 4_000;
/** The pause between two pages, and between two tokens, in milliseconds. */
const REST = 4;
const BETWEEN_TOKENS = 150;
/** The number of batches whose visibility is measured. */
const SEEN = 30;

/** The durations in milliseconds, one per page, token or batch. */
export interface Beside {
  readonly pages: { readonly quiet: readonly number[]; readonly busy: readonly number[] };
  readonly tokens: { readonly quiet: readonly number[]; readonly busy: readonly number[] };
  /** From sending a batch to the first page that has its revision. */
  readonly seen: readonly number[];
}

/**
 * Serves a database in one process and applies batches in another. Measures `rounds` pairs of a quiet and a busy
 * stretch.
 */
export async function beside(ground: Ground, rounds: number): Promise<Beside> {
  await using serving = await served(ground);
  await using following = followed(ground.url);
  const sendBatch = () => following.batch(changes(ground, RECORDS));
  const store = new Store(await openEngine(ground.url), 1);
  const pages = { quiet: numbers(), busy: numbers() };
  const tokens = { quiet: numbers(), busy: numbers() };
  const seen = numbers();
  try {
    // Round 0 warms up the code.
    for (let round = 0; round <= rounds; round++) {
      for (const how of ["quiet", "busy"] as const) {
        const until = performance.now() + STRETCH;
        const [read, made] = await Promise.all([
          again(until, REST, () => serving.page()),
          again(until, BETWEEN_TOKENS, () =>
            createToken(store, { organization: ORGANIZATION, name: "bench" }),
          ),
          how === "busy" ? again(until, 1_000 / A_SECOND, sendBatch) : [],
        ]);
        if (round === 0) continue;
        pages[how].push(...read);
        tokens[how].push(...made);
      }
    }
    for (let batch = 0; batch < SEEN; batch++) {
      const before = await serving.page();
      const begin = performance.now();
      const answered = sendBatch();
      while ((await serving.page()) === before) await sleep(1);
      seen.push(performance.now() - begin);
      await answered;
    }
  } finally {
    await store.engine.close();
  }
  return { pages, tokens, seen };
}

/**
 * Calls `turn` until a time (of `performance.now()`), with a pause of `rest` ms after each call. Returns the durations
 * in ms.
 */
export async function again(until: number, rest: number, turn: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  while (performance.now() < until) {
    const begin = performance.now();
    await turn();
    took.push(performance.now() - begin);
    await sleep(rest);
  }
  return took;
}

/** Starts a server. Each page is of another space with another limit, so that none is cached. */
export async function served({ token, spaces, serve }: Ground) {
  const { url, stop } = await serve();
  const headers = { authorization: `Bearer ${token}` };
  let asked = 0;
  return {
    /** Reads the next page. Returns its revision. */
    async page(): Promise<string | null> {
      const space = spaces[(asked * 61) % spaces.length] ?? "";
      const path = `/v1/spaces/${space}/permissions/aggregate?limit=${50 + (asked++ % 50)}`;
      const response = await fetch(url + path, { headers });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      await response.arrayBuffer();
      return response.headers.get("x-rolebook-revision");
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** `rolebook apply --follow`, which takes one change file after the other. */
export function followed(url: string) {
  const args = ["apply", "--follow", "--allow-removals", "--database", url, "-"];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** Applies a change file. Resolves when its answer arrives. */
    async batch(lines: string): Promise<void> {
      const records = lines.split("\n").length;
      child.stdin.write(`${lines}\n${JSON.stringify({ object: "end", records })}\n`);
      const answer = await answers.next();
      const { outcome }: { outcome: string } = JSON.parse(String(answer.value));
      if (outcome !== "changed") throw new Error(`a batch ended like this: ${answer.value}`);
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}

function numbers(): number[] {
  return [];
}
