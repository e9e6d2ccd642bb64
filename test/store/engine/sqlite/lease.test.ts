import { expect, test } from "vitest";
import { openEngine } from "../../../../src/store/engine/open.ts";
import { sqlitePlace } from "../../../world.ts";

test("every process sees an announced change as soon as its transaction returns", async () => {
  const place = await sqlitePlace();
  const [changed, asked] = [await openEngine(place.url), await openEngine(place.url)];
  try {
    for (let times = 0; times < 200; times++) {
      let before: unknown;
      await changed.transaction(async (connection) => {
        await connection.script("CREATE TABLE change (number); DROP TABLE change");
        await changed.announce(connection, "anything");
        // The check is as late as possible, so that it is trusted for the longest time.
        before = await asked.version();
      });
      expect(await asked.version()).not.toBe(before);
    }
  } finally {
    await changed.close();
    await asked.close();
    await place.dispose();
  }
});
