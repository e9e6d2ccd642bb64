import { expect, test } from "vitest";
import { statement } from "../../src/store/engine/engine.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { giveTurn, sortedInTurns, workFor, yieldToEventLoop } from "../../src/store/turns.ts";

const WORKS = 8;
const STEPS = 5;

test("of several long works, one goes on in each iteration of the event loop", async () => {
  const state = { steps: 0, running: true };
  const work = async () => {
    for (let step = 0; step < STEPS; step++) {
      for (const begin = performance.now(); performance.now() - begin < 2;);
      state.steps++;
      await giveTurn();
    }
  };
  const inIterations: number[] = [];
  const count = () => {
    inIterations.push(state.steps);
    state.steps = 0;
    if (state.running) setImmediate(count);
  };
  const works = Promise.all(Array.from({ length: WORKS }, work));
  setImmediate(count);
  await works;
  state.running = false;
  // All works begin at once.
  const [begun, ...later] = inIterations;
  expect(begun).toBeGreaterThanOrEqual(WORKS);
  expect(later.reduce((sum, steps) => sum + steps, 0)).toBeGreaterThan(WORKS);
  expect(Math.max(...later)).toBe(1);
});

test("works for one have turns in between many works for another", async () => {
  const steps: string[] = [];
  const work = async (name: string) => {
    for (let step = 0; step < STEPS; step++) {
      await yieldToEventLoop();
      steps.push(name);
    }
  };
  const many = Array.from({ length: WORKS }, () => workFor("many", () => work("many")));
  await Promise.all([...many, workFor("one", () => work("one"))]);
  expect(steps).toHaveLength((WORKS + 1) * STEPS);
  expect(steps.lastIndexOf("one")).toBeLessThanOrEqual(2 * STEPS);
});

/** Runs `work`, and returns how often the event loop came around meanwhile. */
async function iterationsDuring(work: () => Promise<unknown>): Promise<number> {
  const state = { iterations: 0, running: true };
  const count = () => {
    state.iterations++;
    if (state.running) setImmediate(count);
  };
  setImmediate(count);
  await work();
  state.running = false;
  return state.iterations;
}

test("many statements of one request let others in between", async () => {
  const engine = await openEngine("sqlite::memory:");
  const long = statement<[number]>(
    () =>
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT count(*) FROM n",
  );
  const iterations = await iterationsDuring(async () => {
    for (let read = 0; read < 100; read++) await engine.read(long);
  });
  await engine.close();
  expect(iterations).toBeGreaterThan(3);
});

test("a long sort lets others in between, and leaves equal items in their order", async () => {
  const items = Array.from({ length: 20_000 }, (_, index) => ({ index, key: (index * 7_919) % 1_000 }));
  const slowly = (a: { key: number }, b: { key: number }) => {
    for (let spin = 0; spin < 50; spin++) Math.sqrt(spin);
    return a.key - b.key;
  };
  let sorted: readonly object[] = [];
  const iterations = await iterationsDuring(async () => {
    sorted = await sortedInTurns(items, slowly);
  });
  expect(sorted).toEqual(items.toSorted((a, b) => a.key - b.key));
  expect(iterations).toBeGreaterThan(3);
  expect(await sortedInTurns([], slowly)).toEqual([]);
});
