import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { acme } from "../../../examples/acme.ts";
import { exportedLines } from "../../../exported.ts";
import { World } from "../../../world.ts";
import { compareAll } from "../../listings/listings.ts";

test("an in-memory database is imported, served and exported, and leaves no file", async () => {
  const world = await World.open(async () => ({ url: "sqlite::memory:", dispose: async () => {} }));
  try {
    await world.import(acme.filter(({ object }) => object !== "permission"));
    await world.import(acme);
    await compareAll(world, acme, [3]);
    expect(await exportedLines(world.store, "acme")).toHaveLength(acme.length);
    expect((await world.get("/explorer/csv?list=members", await world.token("acme"))).status).toBe(200);
    expect(globSync(":memory:*")).toEqual([]);
  } finally {
    await world.close();
  }
});
