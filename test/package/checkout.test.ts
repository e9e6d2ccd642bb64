/** `bin/rolebook.js` in a checkout: the built program as long as it is that of the sources, and never an older one. */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyTree } from "./tarball.ts";

const NAMES = ["src/cli/main.ts", "src/http/openapi/examples.json", "package-lock.json"];

let place: string;
let tree: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "rolebook-checkout-"));
  tree = copyTree(join(place, "tree"));
  execFileSync(process.execPath, ["scripts/prepare.js"], { cwd: tree });
  // In its place stands something that can be told from the sources.
  writeFileSync(join(tree, "dist/program/main.cjs"), 'console.log("built");');
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Which one ran. */
function ran(): "built" | "sources" {
  const { stdout, stderr } = spawnSync(process.execPath, ["bin/rolebook.js", "--version"], {
    cwd: tree,
    encoding: "utf8",
  });
  if (stdout === "built\n") return "built";
  expect(stdout, stderr).toMatch(/^\d+\.\d+\.\d+\n$/);
  return "sources";
}

test("runs what was built from these sources", () => {
  expect(ran()).toBe("built");
});

test.each(NAMES)("runs the sources while %s is another", (name) => {
  const file = join(tree, name);
  const before = readFileSync(file);
  appendFileSync(file, "\n");
  expect(ran()).toBe("sources");
  // Older than what was built, as a copy or an archive brings it.
  utimesSync(file, 0, 0);
  expect(ran()).toBe("sources");
  writeFileSync(file, before);
  expect(ran()).toBe("built");
});

test("runs the sources where nothing was built", () => {
  rmSync(join(tree, "dist/program"), { recursive: true });
  expect(ran()).toBe("sources");
});
