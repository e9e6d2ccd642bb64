import type { Phrase } from "../../wire.ts";

/** A phrase as plain text. */
export function plain(phrase: Phrase): string {
  return phrase
    .map((part) => (typeof part === "string" ? part : "name" in part ? part.name : part.verdict))
    .join("");
}
