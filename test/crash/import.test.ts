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
  const { died } = await killAt(ground, state, target, 2, undefined, "INTO revision (");
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

test("killed while few rows change in place", async () => {
  const few = smallGround(8, false);
  try {
    const [before, after] = few.states;
    await importWhole(few, before);
    for (const [text, call] of [
      ["SET writing", 1],
      ["SET writing", 2],
      ["INTO record_change", 1],
      ["UPDATE member_row", 1],
      ["INTO member_row", 1],
      ["INTO revision_row", 1],
      ["SET writing = NULL", 1],
      ["UPDATE organization", 1],
      ["", 12],
      ["COMMIT", 5],
    ] as const) {
      const { died, published } = await killAt(few, before, after, call, undefined, text);
      expect({ text, call, died, published }).toEqual({ text, call, died: true, published: false });
    }
    await importWhole(few, after);
  } finally {
    few.close();
  }
});

test("killed during the first import: the file is a valid database without organizations", async () => {
  const fresh = smallGround(2);
  try {
    const [state] = fresh.states;
    for (const [text, call] of [
      ["", 1],
      ["", 4],
      ["member_row", 3],
      ["INTO revision (", 2],
    ] as const) {
      const { signal } = await rolebook(["import", "--database", fresh.url, state.file], {
        preload: [new URL("kill-at.ts", import.meta.url).pathname],
        environment: { KILL_LOG: `${fresh.path}.calls`, KILL_AT: String(call), KILL_TEXT: text },
      });
      expect(signal).toBe("SIGKILL");
      const { status, stdout } = await rolebook(["organization", "list", "--database", fresh.url]);
      if (text !== "") expect([status, stdout.trim()]).toEqual([0, "id  title"]);
    }
    await importWhole(fresh, state);
    expect(await leftovers(fresh)).toEqual([]);
  } finally {
    fresh.close();
  }
});
