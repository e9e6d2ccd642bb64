/** Pages that begin after a number of rows. */
import { expect, test } from "vitest";
import { ownPlace, World } from "../../world.ts";
import { multitude } from "../page/multitude.ts";

test("a page can begin after any row of a list, by role, id or name, in any chunk", async () => {
  const world = await World.open(ownPlace);
  try {
    await world.import(multitude(7_000));
    const token = await world.token("multitude");
    for (const sort of ["strongest", "id", "name"]) {
      const list = `/explorer/access?space=long&sort=${sort}`;
      const rows = await world.walk(list, token, [1000]);
      expect(rows).toHaveLength(7_000);
      for (let from = 1; from < rows.length; from += 333) {
        const path = `${list}&from=${from}&limit=2`;
        const { items } = JSON.parse((await world.get(path, token)).body);
        expect(items, path).toEqual(rows.slice(from, from + 2));
      }
    }
  } finally {
    await world.close();
  }
});
