import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path/posix";
import { importsOf } from "./imports.ts";

const ROOT = new URL("../../", import.meta.url);
/** The most tests that are named for a file. */
const NAMED = 4;
/**
 * What an import adds to the way from a test to a file: little between tests of one room, for they share what sets up the
 * same parts; much between files of the program, for a test sees least of what is far below.
 */
const WAYS = { direct: 1, room: 1, elsewhere: 4, program: 8 } as const;

/** For each file of `src`, the tests that are nearest to it: those of its name, then those that reach it over few imports. */
export function indexOfTests(): string {
  const files = [...filesIn("src"), ...filesIn("test")];
  const known = new Set(files);
  const imports = new Map(files.map((file) => [file, importedBy(file, known)]));
  const tests = files.filter((file) => file.endsWith(".test.ts"));
  const ways = new Map(tests.map((file) => [file, waysFrom(file, imports)]));
  const texts = new Map(tests.map((file) => [file, readFileSync(new URL(file, ROOT), "utf8")]));
  const testsOf = (file: string) =>
    nearest(file, tests, (test) => wayTo(file, test, ways.get(test), texts.get(test) ?? ""));
  const sources = files.filter((file) => file.startsWith("src/"));
  const folders = [...new Set(sources.map((file) => dirname(file)))].sort();
  return [
    "# Tests by file",
    "",
    "For each file of `src`, the tests that are nearest to it. `npm run generate` writes this from the names and the imports.",
    ...folders.flatMap((folder) => [
      "",
      `## ${folder}`,
      "",
      ...sources
        .filter((file) => dirname(file) === folder)
        .map((file) => `- ${basename(file)}: ${testsOf(file).join(", ")}`),
    ]),
    "",
  ].join("\n");
}

function filesIn(folder: string): string[] {
  return readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)node_modules\//.test(file))
    .map((file) => join(folder, file))
    .sort();
}

function importedBy(file: string, known: ReadonlySet<string>): string[] {
  return importsOf(readFileSync(new URL(file, ROOT), "utf8"))
    .map((specifier) => join(dirname(file), specifier))
    .filter((target) => known.has(target));
}

/** The length of the shortest way from a test to each file that it reaches. */
function waysFrom(
  test: string,
  imports: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const ways = new Map([[test, 0]]);
  const open = new Set([test]);
  for (const file of open) {
    open.delete(file);
    for (const target of imports.get(file) ?? []) {
      const way = (ways.get(file) ?? 0) + lengthOf(test, file, target);
      if (way >= (ways.get(target) ?? Infinity)) continue;
      ways.set(target, way);
      open.add(target);
    }
  }
  return ways;
}

function lengthOf(test: string, from: string, to: string): number {
  if (from.startsWith("src/")) return WAYS.program;
  if (to.startsWith("src/")) return WAYS.direct;
  return roomOf(to) === roomOf(test) ? WAYS.room : WAYS.elsewhere;
}

function roomOf(file: string): string | undefined {
  return file.split("/")[1];
}

/** Throws if no test is near: nothing would find what is wrong with the file. */
function nearest(file: string, tests: readonly string[], wayTo: (test: string) => number): string[] {
  const near = tests
    .map((test) => ({ test, far: wayTo(test) }))
    .filter(({ far }) => Number.isFinite(far))
    .sort((one, other) => one.far - other.far)
    .slice(0, NAMED)
    .map(({ test }) => test.slice("test/".length, -".test.ts".length));
  if (near.length === 0) throw new Error(`No test is near ${file}.`);
  return near;
}

/**
 * No test imports what runs in the browser or is started as a program: tests in the folder of the same name are near it,
 * and those that run a command are near its file.
 */
function wayTo(
  file: string,
  test: string,
  ways: ReadonlyMap<string, number> | undefined,
  text: string,
): number {
  const place = file
    .slice("src/".length)
    .replace(/\.tsx?$/, "")
    .replaceAll(/([a-z])(?=[A-Z])/g, "$1-")
    .toLowerCase();
  const named = test.slice("test/".length, -".test.ts".length);
  if (named === place || named.startsWith(`${place}/`)) return 0;
  const apart = placesApart(dirname(place), dirname(named));
  // Rooms of `src` use some names twice; in other rooms of `test`, a name says what of the program is tested.
  const isOther = roomOf(test) !== roomOf(file) && existsSync(new URL(`src/${roomOf(test)}`, ROOT));
  if (basename(named) === basename(place) && !isOther) return 1 + apart;
  if (dirname(place) === "cli/commands" && text.includes(`["${basename(place)}"`)) return 2 + apart;
  const way = ways?.get(file);
  if (way !== undefined) return 4 + way + apart;
  return apart === dirname(place).split("/").length ? Infinity : 100 + apart;
}

/** The number of folders of `place` that are not those of `other`. */
function placesApart(place: string, other: string): number {
  const [own, others] = [place.split("/"), other.split("/")];
  const same = own.findIndex((name, index) => name !== others[index]);
  return same < 0 ? 0 : own.length - same;
}
