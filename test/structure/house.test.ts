import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { expect, test } from "vitest";

const SRC = new URL("../../src/", import.meta.url);
const ARCHITECTURE = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");

/** The imports between folders of `src`, as `from --> to`. */
function imports(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const file of readdirSync(SRC, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(file)) continue;
    const [from = ""] = file.split("/");
    const own = found.get(from) ?? new Set<string>();
    found.set(from, own);
    const text = readFileSync(new URL(file, SRC), "utf8");
    for (const [, specifier = ""] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
      const [to = ""] = join(dirname(file), specifier).split("/");
      if (to !== from && to !== "..") own.add(to);
    }
  }
  return found;
}

/** Removes imports that follow from a longer path between the same folders. */
function direct(all: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reaches = (from: string, to: string): boolean =>
    [...(all.get(from) ?? [])].some((each) => each === to || reaches(each, to));
  return [...all].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((each) => each !== to && reaches(each, to)))
      .map((to) => `${from} --> ${to}`),
  );
}

test("the drawing of the house shows the imports as they are", () => {
  const [, drawing = ""] = /```mermaid\ngraph TD\n([\s\S]*?)```/.exec(ARCHITECTURE) ?? [];
  const drawn = drawing
    .trim()
    .split("\n")
    .map((line) => line.trim());
  expect(drawn.toSorted()).toEqual(direct(imports()).toSorted());
});

test("the tests of a room of src lie in the folder or the file of their name", () => {
  const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" }).map((path) =>
    path.replace(/\.tsx?$/, ""),
  );
  const stray = readdirSync(new URL("../", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => dirname(file))
    .filter((folder) => sources.includes(folder.split("/")[0] ?? "") && !sources.includes(folder));
  expect(stray).toEqual([]);
});

test("only test files have hooks: a module's hook would run only for the first file that imports it", () => {
  const root = new URL("../", import.meta.url);
  const modules = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.includes("node_modules/"),
  );
  const hooked = modules.filter((file) =>
    /^(before|after)(All|Each)\(/m.test(readFileSync(new URL(file, root), "utf8")),
  );
  expect(hooked).toEqual([]);
});
