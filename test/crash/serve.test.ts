import { afterAll, beforeAll, expect, test } from "vitest";
import { createToken } from "../../src/store/tokens.ts";
import { organizationIds } from "../oracle/facts.ts";
import { oracle } from "../oracle/oracle.ts";
import { Program } from "./program.ts";
import { importWhole } from "./killing.ts";
import { type Ground, leftovers, opened, smallGround, stateOf } from "./states.ts";

/** `kill -9` of a server under load, with an import running: the next one needs no help and shows whole lists. */

let ground: Ground;
let token: string;
let paths: string[];
beforeAll(async () => {
  ground = smallGround(5);
  const [before] = ground.states;
  await importWhole(ground, before);
  const [id = ""] = organizationIds(before.records);
  const world = await opened(ground.url);
  token = await createToken(world.store, { organization: id, name: "load" });
  await world.close();
  const asked = oracle(before.records, { publicUrl: "" });
  paths = asked.listings(id).map((listing) => asked.path(id, listing));
});
afterAll(() => ground.close());

test("killed while it answers and while an import publishes", async () => {
  for (const [round, delay] of [300, 700, 1100].entries()) {
    const server = new Program(["serve", "--port", "0", "--database", ground.url]);
    const [, address = ""] = await server.says(/serves \S+ at (\S+)/);
    const target = ground.states[(round + 1) % 2] ?? ground.states[0];
    const importing = new Program(["import", "--allow-removals", "--database", ground.url, target.file]);
    let whole = 0;
    const callers = Array.from({ length: 4 }, async (_, caller) => {
      for (let index = caller; ; index++) {
        try {
          const path = paths[index % paths.length] ?? "";
          const response = await fetch(`${address}${path}`, {
            headers: { authorization: `Bearer ${token}` },
          });
          // What changed its organization may be gone; what is answered is whole.
          expect([200, 404]).toContain(response.status);
          await response.json();
          whole++;
        } catch (error) {
          if (error instanceof Error && error.name === "AssertionError") throw error;
          return;
        }
      }
    });
    await new Promise((resolve) => setTimeout(resolve, delay));
    server.kill();
    if (round === 1) importing.kill();
    await Promise.all([server.ended, importing.ended, ...callers]);
    expect(whole).toBeGreaterThan(0);
    await stateOf(ground);
  }
  const state = await stateOf(ground);
  await importWhole(ground, ground.states.find((each) => each !== state) ?? state);
  expect(await leftovers(ground)).toEqual([]);
});
