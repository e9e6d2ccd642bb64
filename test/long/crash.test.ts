import { expect, test } from "vitest";
import { callsOf, importWhole, killAfter, killAt, type Killing } from "../crash/killing.ts";
import { killServing, loadFor } from "../crash/serving/serving.ts";
import { type Ground, largeGround, smallGround, type State, stateOf } from "../crash/states.ts";
import { writeReliability } from "../../bench/harness/result.ts";

/**
 * `kill -9` of imports: before every statement of a small one, and at times spread over larger ones. Also of servers.
 */

/** The number of killed servers. */
const SERVERS = 24;

const found: Record<string, number> = { "imports killed": 0 };

/** Kills imports of the state that the database does not have. After every few kills, an import must succeed. */
async function siege(
  ground: Ground,
  first: State,
  kills: readonly ((from: State, to: State) => Promise<Killing>)[],
  every: number,
  most: number,
): Promise<Killing[]> {
  const other = (state: State) => ground.states.find((each) => each !== state) ?? state;
  let state = first;
  const done: Killing[] = [];
  for (const [index, kill] of kills.entries()) {
    const killing = await kill(state, other(state));
    done.push(killing);
    if (killing.published) state = other(state);
    if (index % every !== every - 1) continue;
    await importWhole(ground, other(state), most);
    state = other(state);
  }
  await importWhole(ground, other(state), most);
  return done;
}

function count(size: string, killings: readonly Killing[]): void {
  const died = killings.filter((each) => each.died);
  found["imports killed"] = (found["imports killed"] ?? 0) + died.length;
  found[`… of ${size}`] = died.length;
  found[`… of those, after it was published`] =
    (found[`… of those, after it was published`] ?? 0) + died.filter((each) => each.published).length;
}

test("before every SQLite call of an import of a small file", async () => {
  const ground = smallGround();
  try {
    const [before, after] = ground.states;
    await callsOf(ground, before);
    const calls = await callsOf(ground, after);
    await callsOf(ground, before);
    const kills = Array.from(
      { length: calls },
      (_, index) => (from: State, to: State) => killAt(ground, from, to, index + 1),
    );
    const killings = await siege(ground, before, kills, 10, Number.POSITIVE_INFINITY);
    count("a small file, one before each statement", killings);
    found["different statements that an import was killed before"] = new Set(
      killings.map(({ statement }) => statement),
    ).size;
  } finally {
    ground.close();
  }
});

test.each([
  ["a file of 1,000 members", "S", 60, 12],
  ["a file of 50,000 members", "M", 12, 3],
] as const)("at random times: %s", async (what, size, times, most) => {
  const ground = await largeGround(size);
  try {
    const [before, after] = ground.states;
    await importWhole(ground, before, most);
    const started = Date.now();
    await importWhole(ground, after, most);
    const lasts = Date.now() - started;
    // The times are spread evenly from the start of the program to after its end.
    const kills = Array.from(
      { length: times },
      (_, index) => (from: State, to: State) =>
        killAfter(ground, from, to, 100 + ((index + 0.5) / times) * lasts, most),
    );
    count(what, await siege(ground, after, kills, 6, most));
  } finally {
    ground.close();
  }
});

test("servers under load, half of them together with a running import", async () => {
  const ground = smallGround(6);
  try {
    await importWhole(ground, ground.states[0]);
    const load = await loadFor(ground);
    let answers = 0;
    for (let round = 0; round < SERVERS; round++) {
      const state = await stateOf(ground);
      const target = ground.states.find((each) => each !== state) ?? state;
      answers += await killServing(ground, load, target, 10 * (round + 1), round % 2 === 0);
    }
    const state = await stateOf(ground);
    await importWhole(ground, ground.states.find((each) => each !== state) ?? state);
    found["servers killed under load"] = SERVERS;
    found["… answers that they had sent, all of them whole"] = answers;
  } finally {
    ground.close();
  }
});

test("more than 200 in all", () => {
  expect(found["imports killed"]).toBeGreaterThan(200);
  writeReliability("Crashes", found);
});
