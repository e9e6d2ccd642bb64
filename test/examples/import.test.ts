/** The snapshots in documents can be imported: the example, the first snapshot of docs/snapshot.md, a producer's output. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { importFiles } from "../../src/snapshot/import.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { textOf } from "./acme.ts";
import { fenced } from "../docs/reading/fence.ts";
import { temporaryFolder } from "../folder.ts";
import { HANG } from "../setup/hang.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = temporaryFolder();

test.each([
  ["acme", () => textOf("examples/acme.ndjson")],
  ["tiny", () => fenced(textOf("docs/snapshot.md"), "json")[0] ?? ""],
  [
    "northlight",
    () =>
      spawnSync(process.execPath, ["examples/producer.ts", "examples/people.csv", "examples/access.csv"], {
        cwd: root,
        encoding: "utf8",
        timeout: HANG,
      }).stdout,
  ],
])("%s: imported once it adds every record, a second time it changes nothing", async (organization, text) => {
  const file = join(folder, `${organization}.ndjson`);
  writeFileSync(file, text());
  const engine = await openEngine(`sqlite:${join(folder, `${organization}.db`)}`);
  try {
    const { organizations, changed, ignoredUsers } = await importFiles(engine, [file]);
    expect({ changed, ignoredUsers }).toEqual({ changed: true, ignoredUsers: 0 });
    expect(organizations.map((change) => change.organization)).toEqual([organization]);
    const added = Object.values(organizations[0]?.kinds ?? {}).map((kind) => kind.added);
    const records = text().match(/^\{"object": ?"(?!end")/gm) ?? [];
    expect(added.reduce((sum, count) => sum + count, 0)).toBe(records.length);

    expect(await importFiles(engine, [file])).toMatchObject({ changed: false });
  } finally {
    await engine.close();
  }
});
