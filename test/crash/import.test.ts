import { afterAll, beforeAll, expect, test } from "vitest";
import { callsOf, importWhole, killAfter, killAt } from "./killing.ts";
import { rolebook } from "./program.ts";
import { type Ground, leftovers, smallGround, stateOf } from "./states.ts";

/** `kill -9` during an import leaves either the old or the new lists, complete, and the next import needs no repair. */

let ground: Ground;
let calls: number;
beforeAll(async () => {
  ground = smallGround();
  const [before, after] = ground.states;
  await callsOf(ground, after);
  calls = await callsOf(ground, before);
});
afterAll(() => ground.close());

test("killed before its first and last statement, and between", async () => {
  const [before, after] = ground.states;
  // The last calls are those of the transaction that publishes the import.
  const places = [0, 0.3, 0.8].map((part) => Math.max(1, Math.floor(part * calls)));
  let state = before;
  for (const place of [...places, calls - 8, calls - 4]) {
    const target = state === before ? after : before;
    const { died, published } = await killAt(ground, state, target, place);
    expect(died, `call ${place} of ${calls}`).toBe(true);
    if (published) state = target;
  }
  // The next import first deletes what killed imports left, so calls are counted again.
  const target = state === before ? after : before;
  const { died } = await killAt(ground, state, target, 2, undefined, "INSERT INTO revision");
  expect(died).toBe(true);
  await importWhole(ground, target);
});

test("killed at random times", async () => {
  let state = await stateOf(ground);
  for (const milliseconds of [250, 400]) {
    const target = ground.states.find((each) => each !== state) ?? state;
    const { published } = await killAfter(ground, state, target, milliseconds);
    if (published) state = target;
  }
  await importWhole(ground, ground.states.find((each) => each !== state) ?? state);
});

test("killed during the first import: the file is a valid database without organizations", async () => {
  const fresh = smallGround(2);
  try {
    const [state] = fresh.states;
    for (const call of [1, 4, Math.floor(calls / 2)]) {
      await rolebook(["import", "--database", fresh.url, state.file], {
        preload: [new URL("kill-at.ts", import.meta.url).pathname],
        environment: { KILL_LOG: `${fresh.path}.calls`, KILL_AT: String(call) },
      });
      const { status, stdout } = await rolebook(["organization", "list", "--database", fresh.url]);
      if (call > 4) expect([status, stdout.trim()]).toEqual([0, "id  title"]);
    }
    await importWhole(fresh, state);
    expect(await leftovers(fresh)).toEqual([]);
  } finally {
    fresh.close();
  }
});
