import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FAULTS, places } from "./faults.ts";

const read = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
const bare = (text: string): string => text.replaceAll(/\s/g, "");
const SOURCES = globSync("src/**/*.{ts,tsx}").map((file) => ({ file, text: bare(read(file)) }));
/** Strings of the tests that may be the titles of several: `%s`, `$name` and `${…}` stand for what differs. */
const STRINGS = globSync("test/**/*.ts", { exclude: ["**/node_modules/**", "test/faults/**"] }).flatMap(
  (file) => read(file).match(/"[^"\n]+"|`[^`\n]+`/g) ?? [],
);
const TITLES = new Set(STRINGS.map((text) => text.slice(1, -1)));
const PARAMETERS = /%s|\$\{.*?\}|\$\w+/;
const PATTERNS = [...TITLES]
  .filter((title) => PARAMETERS.test(title) && title.length > 15)
  .map((title) => new RegExp(`^${title.split(PARAMETERS).map(RegExp.escape).join(".+")}$`));

/** Trying a fault takes seconds, so the normal tests only look whether it can be tried. */
test.for(FAULTS.map((fault) => [fault.name, fault] as const))("%s", ([, { edits, test: named }]) => {
  for (const [file, text] of edits) {
    const here = places(read(file), text).length;
    const others = SOURCES.filter((source) => source.text.includes(bare(text))).map((source) => source.file);
    const message = `times in ${file}: ${text} (it is in: ${others.join(", ")})`;
    expect(here, message).toBe(1);
  }
  const [file = "", ...titles] = named.split(" > ");
  const title = titles.at(-1) ?? "";
  expect(existsSync(file), file).toBe(true);
  expect(TITLES.has(title) || PATTERNS.some((pattern) => pattern.test(title)), `a test "${title}"`).toBe(
    true,
  );
});
