/** Imports run one way, as the drawing in docs/architecture.md shows. */
import { readdirSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { circularImports, MAY_IMPORT, type Sources, wrongImports } from "./imports.ts";

const src = new URL("../../src", import.meta.url).pathname;
const sources: Sources = Object.fromEntries(
  readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [file, readFileSync(join(src, file), "utf8")]),
);

test("imports run one way", () => {
  expect(Object.keys(sources).length).toBeGreaterThan(80);
  expect(wrongImports(sources)).toEqual([]);
});

test("no file imports itself indirectly", () => {
  expect(circularImports(sources)).toEqual([]);
});

test("only types come from node:http: an import of its values compiles Node's fetch at each start", () => {
  const values = /^import (?!type\b)[^;]*from "node:https?";/m;
  expect(Object.keys(sources).filter((file) => values.test(sources[file] ?? ""))).toEqual([]);
});

test("a server starts without what answers the explorer, reviews and connectors", () => {
  const loaded = linkedWith("cli/main.ts", "cli/server/serve.ts");
  expect(loaded).toContain("explorer/wire/protocol.ts");
  const others = /^(explorer\/(?!wire\/protocol\.ts)|review\/|connectors\/)|explorer-answers/;
  expect(loaded.filter((file) => others.test(file))).toEqual([]);
});

/** The files that Node links before it runs the given ones. */
function linkedWith(...files: string[]): string[] {
  const linked = new Set(files);
  for (const file of linked) {
    const imports = (sources[file] ?? "").matchAll(/^(?:import|export) (?!type\b)[^;]*?from "(\.[^"]+)";/gm);
    for (const [, to] of imports) linked.add(normalize(join(file, "..", to ?? "")));
  }
  return [...linked];
}

test("every part has its rule", () => {
  const parts = readdirSync(src).map((name) => `${name}/`);
  expect(Object.keys(MAY_IMPORT)).toEqual(expect.arrayContaining(parts));
});

describe("sees", () => {
  test("a cycle, also of types only, without the files that lead into it and out of it", () => {
    const circle = {
      "cli/main.ts": 'import { a } from "../store/a.ts";',
      "store/a.ts": 'import type { B } from "./b.ts";',
      "store/b.ts": 'import { a } from "./a.ts";\nimport { c } from "./c.ts";',
      "store/c.ts": "export const c = 1;",
    };
    expect(circularImports(circle)).toEqual(["store/a.ts", "store/b.ts"]);
  });

  test.each([
    ["a step up", "store/tokens.ts", 'import { quote } from "../http/query.ts";'],
    ["a step to the side", "operations/send.ts", 'import { importFiles } from "../snapshot/import.ts";'],
    ["a type alone", "domain/role.ts", 'import type { Store } from "../store/store.ts";'],
    ["an export from elsewhere", "store/store.ts", 'export { buildApp } from "../http/app.ts";'],
    [
      "an import over several lines",
      "domain/role.ts",
      'import { \n  openEngine, \n  type Url, \n } from "../store/open.ts";',
    ],
    [
      "an import while it runs",
      "store/engine/open.ts",
      'const { buildApp } = await import("../../http/app.ts");',
    ],
    [
      "an engine out of its folder",
      "store/reading.ts",
      'import { openSqlite } from "./engine/sqlite/engine.ts";',
    ],
    ["one engine in another", "store/engine/postgres/engine.ts", 'import { view } from "../sqlite/view.ts";'],
    ["the web in the store", "store/reading.ts", 'import Fastify from "fastify";'],
    ["a database in the web", "http/listing.ts", 'import { DatabaseSync } from "node:sqlite";'],
    ["any module of Node in the rules", "domain/ladder.ts", 'import { readFileSync } from "node:fs";'],
    ["the browser's code on the server", "http/app.ts", 'import { App } from "../explorer/page/App.tsx";'],
    [
      "the server's code in the browser",
      "explorer/page/App.tsx",
      'import { send } from "../../operations/send.ts";',
    ],
    ["a way out of src", "cli/main.ts", 'import { World } from "../world.ts";'],
  ])("%s", (_, file, text) => {
    expect(wrongImports({ [file]: `/** Something. */\n${text}\n` })).toHaveLength(1);
  });

  test("nothing wrong in a valid tree", () => {
    const text =
      'import { hash } from "node:crypto";\nimport { Store } from "../store/store.ts";\nimport "./b.ts";\n';
    expect(wrongImports({ "http/a.ts": text })).toEqual([]);
  });
});
