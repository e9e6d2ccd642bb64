import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const FOLDER = new URL(".", import.meta.url).pathname;

/** A fault that is put in on purpose: a patch of this folder, with three lines before it that say what it is. */
export interface Fault {
  readonly name: string;
  /** The path of the patch. */
  readonly patch: string;
  /** `# what:` what is wrong with it in place. */
  readonly what: string;
  /** `# test:` the file of the test that must fail, and its whole name behind ` > `. */
  readonly file: string;
  readonly test: string;
  /** `# says:` what the failure says, as a regular expression: a test that fails for another reason proves nothing. */
  readonly says: RegExp;
}

/** The faults whose names hold one of the words; without words all. Throws for a patch that does not say what it is. */
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
