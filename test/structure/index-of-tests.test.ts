/**
 * The index of tests names every file of `src`, and tests that there are. Which of them are nearest changes with any import:
 * `npm run generate` brings that up to date, and no test waits for it.
 */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { indexOfTests } from "./index-of-tests.ts";

/** The tests of each file in an index. */
function read(index: string): Map<string, string[]> {
  let folder = "";
  const found = new Map<string, string[]>();
  for (const line of index.split("\n")) {
    if (line.startsWith("## ")) folder = line.slice(3);
    const [, file, tests = ""] = /^- (\S+): (.+)$/.exec(line) ?? [];
    if (file !== undefined) found.set(`${folder}/${file}`, tests.split(", "));
  }
  return found;
}

const now = read(indexOfTests());

test("the index of tests names every file, and tests that there are", () => {
  const written = read(readFileSync(new URL("../index.md", import.meta.url), "utf8"));
  expect([...written.keys()], "run npm run generate").toEqual([...now.keys()]);
  const named = new Set([...written.values()].flat());
  const gone = [...named].filter((name) => !existsSync(new URL(`../${name}.test.ts`, import.meta.url)));
  expect(gone, "run npm run generate").toEqual([]);
});

test("a file's own tests stand first", () => {
  expect(now.get("src/domain/ladder.ts")?.[0]).toBe("domain/ladder");
  expect(now.get("src/explorer/page/views/AsOf.tsx")?.[0]).toBe("explorer/page/views/as-of");
  expect(now.get("src/cli/commands/backup.ts")).toContain("backup/operations-doc");
});
