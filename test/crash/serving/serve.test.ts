import { afterAll, beforeAll, expect, test } from "vitest";
import { importWhole } from "../killing.ts";
import { killServing, type Load, loadFor } from "./serving.ts";
import { type Ground, smallGround, stateOf } from "../states.ts";

/** `kill -9` of a server under load during an import: the next server needs no repair, and its lists are complete. */

let ground: Ground;
let load: Load;
beforeAll(async () => {
  ground = smallGround(5);
  await importWhole(ground, ground.states[0]);
  load = await loadFor(ground);
});
afterAll(() => ground.close());

test("killed during answers and while an import publishes", async () => {
  for (const [round, moment] of ([20, "staging", "published"] as const).entries()) {
    const now = await stateOf(ground);
    const target = ground.states.find((each) => each !== now) ?? now;
    expect(await killServing(ground, load, target, moment, round === 1)).toBeGreaterThan(0);
  }
  const state = await stateOf(ground);
  await importWhole(ground, ground.states.find((each) => each !== state) ?? state);
});
