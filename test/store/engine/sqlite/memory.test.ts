import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { exportLines } from "../../../../src/snapshot/export.ts";
import { readConsistently } from "../../../../src/store/revisions/consistent-read.ts";
import { acme } from "../../../examples/acme.ts";
import { World } from "../../../world.ts";
import { compareAll } from "../../listings/listings.ts";

test("an in-memory database is imported, served and exported, and leaves no file", async () => {
  const world = await World.open(async () => ({ url: "sqlite::memory:", dispose: async () => {} }));
  try {
    await world.import(acme.filter(({ object }) => object !== "permission"));
    await world.import(acme);
    await compareAll(world, acme, [3]);
    await readConsistently(world.store, "acme", async (at, reader) => {
      let lines = 0;
      for await (const _ of exportLines(reader, at)) lines++;
      expect(lines).toBe(acme.length);
    });
    expect((await world.get("/explorer/csv?list=members", await world.token("acme"))).status).toBe(200);
    expect(globSync(":memory:*")).toEqual([]);
  } finally {
    await world.close();
  }
});
