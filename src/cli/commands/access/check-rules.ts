import { readFileSync } from "node:fs";
import { UsageError } from "../../../domain/error.ts";
import type { When } from "../../../domain/text/when.ts";
import { readRules } from "../../../review/rules/read.ts";
import type { Rule } from "../../../review/rules/rule.ts";
import type { Revision } from "../../../store/reading.ts";

/** The rules in a file, or on standard input for `-`. Throws a UsageError if they cannot be read or are invalid. */
export function rulesIn(file: string): Rule[] {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(`The rules file ${file} cannot be read: ${why}.`);
  }
  return readRules(text, file === "-" ? "standard input" : file);
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
