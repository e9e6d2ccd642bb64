/** docs/dependencies.md lists exactly the packages that are installed with the program, with their sizes. */
import { expect, test } from "vitest";
import { measured } from "../../scripts/dependency-sizes.ts";
import { running } from "../../scripts/running.ts";
import { textOf } from "../examples/acme.ts";

const page = textOf("docs/dependencies.md");

/** The packages below a heading, and those in the groups of a package.json. */
test.each([
  ["What the program runs on", "package.json", ["dependencies"]],
  ["Node itself", "package.json", ["optionalDependencies"]],
  ["What builds the page", "src/explorer/page/package.json", ["dependencies"]],
])("%s", (heading, file, groups) => {
  const [, section = ""] = page.split(`## ${heading}\n`);
  const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `([^`]+)` \|/gm)];
  const manifest: Record<string, Record<string, string>> = JSON.parse(textOf(file));
  const names = groups.flatMap((group) => Object.keys(manifest[group] ?? {}));
  expect(rows.map(([, name]) => name)).toEqual(names.sort());
});

test("what these bring is named, too", () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(textOf("package.json"));
  const places = Object.keys(running(JSON.parse(textOf("package-lock.json")), { dependencies }));
  const names = new Set(places.map((place) => place.split("node_modules/").at(-1) ?? ""));
  const [, brought = ""] = /^They bring (.*?)\.$/ms.exec(page) ?? [];
  const direct = ["", ...Object.keys(dependencies)];
  expect([...brought.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(
    [...names].filter((name) => !direct.includes(name)).sort(),
  );
});

test("the page's parts have their notice", () => {
  const { dependencies }: { dependencies: object } = JSON.parse(textOf("src/explorer/page/package.json"));
  // Vite only builds the page.
  const parts = Object.keys(dependencies).filter((name) => name !== "vite");
  expect(parts).toContain("preact");
  for (const part of parts)
    expect(textOf("NOTICES.md")).toContain(textOf(`node_modules/${part}/LICENSE`).trim());
});

test("every row is complete: purpose, size and maintainer", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows.length).toBeGreaterThan(15);
  for (const row of rows) {
    const filled = row.split("|").filter((cell) => cell.trim() !== "");
    expect(filled, row).toHaveLength(4);
  }
});

test("sizes of the program's packages are correct", () => {
  const [before, after] = [page, measured(page)].map((text) => text.split("## Node itself")[0]);
  expect(after, "run: node scripts/dependency-sizes.ts --write").toBe(before);
});

test("no package of the program runs a script when it is installed", () => {
  const lock: { packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }> } = JSON.parse(
    textOf("package-lock.json"),
  );
  const packages = Object.entries(lock.packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  expect(packages.length).toBeGreaterThan(50);
  expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
  // Nor has the package itself: npm runs its build script only in a checkout.
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(textOf("package.json"));
  for (const name of ["preinstall", "install", "postinstall", "prepare"])
    expect(scripts).not.toHaveProperty(name);
});
