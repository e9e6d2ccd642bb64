import { expect, test } from "vitest";
import { Turns } from "../../src/store/turns.ts";

const WORKS = 8;
const STEPS = 5;

test("of several long works, one goes on in each iteration of the event loop", async () => {
  const state = { steps: 0, running: true };
  const work = async () => {
    const turns = new Turns();
    for (let step = 0; step < STEPS; step++) {
      for (const begin = performance.now(); performance.now() - begin < 2;);
      state.steps++;
      await turns.give();
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
