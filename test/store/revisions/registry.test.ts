import { expect, test } from "vitest";
import { openEngine } from "../../../src/store/engine/open.ts";
import { Registry } from "../../../src/store/revisions/registry.ts";
import { sqlitePlace } from "../../world.ts";
import { replaced } from "../engine/statements/replaced.ts";

test("an organization is not known to be unchanged while the database cannot be asked", async () => {
  const place = await sqlitePlace();
  const engine = await openEngine(place.url);
  const broken = [
    () => {
      throw new Error("Another program writes the file.");
    },
    () => Promise.reject(new Error("Nobody answers.")),
  ];
  try {
    for (const version of broken)
      expect(new Registry(replaced(engine, { version })).isUnchanged("o", 0)).toBe(false);
  } finally {
    await engine.close();
    await place.dispose();
  }
});
