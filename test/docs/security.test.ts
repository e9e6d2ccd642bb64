/** SECURITY.md names exactly the tests of its promises. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path/posix";
import { expect, test } from "vitest";
import { textOf } from "../examples/acme.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const text = textOf("SECURITY.md");
const [, promises = ""] = text.split("## Promises, and the tests that hold them");

/** The folders with tests of the page's promises. */
const FOLDERS = ["test/crash", "test/hostile", "test/hostile/input", "test/tenancy"];

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
