import { readFileSync } from "node:fs";
import { CommandError } from "../../../domain/error.ts";
import type { When } from "../../../domain/text/when.ts";
import { readRules } from "../../../review/rules/read.ts";
import type { Rule } from "../../../review/rules/rule.ts";
import type { Revision } from "../../../store/reading.ts";

/** The rules of a file. Throws a CommandError if it cannot be read or is invalid. */
export function rulesIn(file: string): Rule[] {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new CommandError(`The rules file ${file} cannot be read: ${why}.`);
  }
  return readRules(text, file === "-" ? "standard input" : file);
}

/** The day that decides which exceptions have ended, in UTC: today, or the day of the past revision. */
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
