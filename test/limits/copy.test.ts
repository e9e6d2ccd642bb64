/** A backup of many steps, between which others write. */
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openEngine } from "../../src/store/engine/open.ts";
import { Store } from "../../src/store/store.ts";
import { acme } from "../examples/acme.ts";
import { exportedLines } from "../exported.ts";
import { sqlitePlace, World } from "../world.ts";

test("writers neither change a running copy nor restart it", async () => {
  const world = await World.open(sqlitePlace);
  await world.import(acme);
  const before = await exportedLines(world.store, "acme");
  const path = world.store.engine.name.slice("sqlite:".length);
  const file = join(dirname(path), "copy.db");
  const writer = new DatabaseSync(path);
  let writes = 0;
  await world.store.engine.copyTo?.(file, () => {
    writer.exec(`INSERT INTO counter VALUES ('write ${writes++}', 1); DELETE FROM token`);
    writer.exec(`UPDATE revision SET title = 'Changed ${writes}'`);
  });
  writer.close();
  const copy = new DatabaseSync(file, { readOnly: true });
  const pages = Number(copy.prepare("PRAGMA page_count").get()?.page_count);
  expect(copy.prepare("SELECT count(*) AS n FROM counter WHERE name LIKE 'write %'").get()).toEqual({ n: 0 });
  copy.close();
  expect(pages).toBeGreaterThan(20);
  expect(writes).toBeGreaterThan(20);
  expect(writes).toBeLessThanOrEqual(pages + 1);
  const engine = await openEngine(`sqlite:${file}`);
  expect(await exportedLines(new Store(engine), "acme")).toEqual(before);
  await engine.close();
  await world.close();
});
