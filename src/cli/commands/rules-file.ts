/** Reads the rules file of `check`, `import` and `apply`. Loaded only when there is one, with the YAML parser. */
import type { When } from "../../domain/date.ts";
import { UsageError } from "../../domain/error.ts";
import { readRules } from "../../review/read-rules.ts";
import type { AccessRule } from "../../review/rule.ts";
import { UnreadableFile, textsOf } from "../../snapshot/input.ts";
import type { Revision } from "../../store/reading.ts";

/** In characters. An endless file would fill the memory. */
const LONGEST = 1 << 22;

/** The rules in a file, or on standard input for `-`. Throws a UsageError if they cannot be read or are invalid. */
export async function rulesIn(file: string): Promise<AccessRule[]> {
  const name = file === "-" ? "standard input" : file;
  let text = "";
  try {
    for await (const piece of textsOf(file, "YAML in UTF-8")) {
      text += piece;
      if (text.length > LONGEST) {
        throw new UnreadableFile(undefined, `it is longer than ${LONGEST} characters; reading stopped here`);
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new UsageError(`The rules file ${name} cannot be read: ${error.message}.`, { cause: error });
  }
  return readRules(text, name);
}

/** The day (UTC) that decides which exceptions have ended: that of the past revision, or today. */
export function dayOf(when: When | undefined, { importedAt }: Pick<Revision, "importedAt">): string {
  switch (when?.kind) {
    case undefined:
      return new Date().toISOString().slice(0, 10);
    case "revision":
      return importedAt.slice(0, 10);
    case "day":
      return when.from.slice(0, 10);
    case "time":
      return when.time.slice(0, 10);
  }
}
