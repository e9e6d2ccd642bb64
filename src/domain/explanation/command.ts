import type { Explanation } from "./why.ts";
import { type Without, writeWithout } from "../without.ts";

/** The command that explains a user's role on `subject`, quoted for a POSIX shell. */
export function commandFor(
  user: string,
  { kind, id }: Explanation["subject"],
  { organization, at }: { readonly organization?: string; readonly at?: number } = {},
): string {
  const words = ["rolebook", "why"];
  if (organization !== undefined) words.push("--organization", organization);
  if (at !== undefined) words.push("--at", String(at));
  // An id may begin with `-`; behind `--` it is not an option.
  if (user.startsWith("-")) words.push("--");
  return commandLine(...words, user, `${kind}/${id}`);
}

/** The command that shows the effect of removing a source. */
export function withoutCommand(without: Without): string {
  return commandLine("rolebook", "why", `--without=${writeWithout(without)}`);
}

/** Joins words to a command line, quoted for a POSIX shell. */
export function commandLine(...words: string[]): string {
  return words.map(quote).join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
