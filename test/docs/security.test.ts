/** SECURITY.md names exactly the tests of its promises; seeded faults prove each part of the promises. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path/posix";
import { expect, test } from "vitest";
import { textOf } from "../examples/acme.ts";
import { faults } from "../faults/fault.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const text = textOf("SECURITY.md");
const [, promises = ""] = text.split("## Promises, and the tests that hold them");

/** The folders with tests of the page's promises. */
const FOLDERS = ["test/crash", "test/hostile", "test/hell", "test/tenancy"];
/** The names of seeded faults begin with one of these prefixes, one per part of "It keeps its word". */
const PARTS = ["crash", "hostile", "tenancy", "hell", "pressure"];

test("every promise has a test, and every named test exists", () => {
  const rows = [...promises.matchAll(/^\| (?!Promise|Limit|---)(.+) \| (`test\/.+`) \|$/gm)];
  expect(rows.length).toBeGreaterThan(20);
  const [table = ""] = promises.split(/^## /m);
  const all = [...table.matchAll(/^\| (?!Promise|-)/gm)];
  expect(rows).toHaveLength(all.length);
  const named = rows.flatMap(([, , files = ""]) =>
    [...files.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
  );
  expect(named.filter((file) => !file.endsWith(".test.ts") || !existsSync(ROOT + file))).toEqual([]);
});

test("every test of these folders is named", () => {
  const tests = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `${folder}/${name}`),
  );
  expect(tests.length).toBeGreaterThan(15);
  expect(tests.filter((file) => !text.includes(`\`${file}\``))).toEqual([]);
});

test("each part has two or more seeded faults, and each names an existing test", () => {
  const seeded = faults();
  for (const part of PARTS) {
    expect(seeded.filter(({ name }) => name.startsWith(`${part}-`)).length, part).toBeGreaterThanOrEqual(2);
  }
  expect(seeded.filter(({ file }) => !existsSync(ROOT + file)).map(({ name }) => name)).toEqual([]);
});
