import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const FOLDER = new URL(".", import.meta.url).pathname;

/** A seeded fault: a patch in this folder, with describing lines before it. */
export interface Fault {
  readonly name: string;
  /** The path of the patch. */
  readonly patch: string;
  /** `# what:` the effect of the fault. */
  readonly what: string;
  /** `# test:` the file of the test that must fail, and the full name of the test after ` > `. */
  readonly file: string;
  readonly test: string;
  /**
   * `# says:` a regular expression for the message of the failure: a test that fails for another reason proves nothing.
   */
  readonly says: RegExp;
}

/** The faults whose names contain one of the words; all without words. Throws if a patch lacks a describing line. */
export function faults(words: readonly string[] = []): Fault[] {
  return readdirSync(FOLDER)
    .filter(
      (name) => name.endsWith(".patch") && (words.length === 0 || words.some((word) => name.includes(word))),
    )
    .sort()
    .map((name) => read(join(FOLDER, name)));
}

function read(patch: string): Fault {
  const text = readFileSync(patch, "utf8");
  const name = basename(patch, ".patch");
  const said = (key: string): string => {
    const [, value] = new RegExp(`^# ${key}: (.+)$`, "m").exec(text) ?? [];
    if (value === undefined) throw new Error(`${name}.patch has no line that begins with "# ${key}: "`);
    return value;
  };
  const [file = "", ...test] = said("test").split(" > ");
  return { name, patch, what: said("what"), file, test: test.join(" > "), says: new RegExp(said("says")) };
}
