import type { ContentKind } from "../content.ts";

/** Text in pieces, so that names can be set apart. The pieces put together are the text, to the letter. */
export type Phrase = readonly (string | Name | Verdict)[];

/** A title or display name of the directory, as it is. */
export interface Name {
  readonly name: string;
  /** What is called so; absent for who is not in the directory. */
  readonly of?: Ref;
}

/** What something is, and its id. */
export interface Ref {
  readonly kind: ContentKind | "site" | "member" | "team" | "organization";
  readonly id: string;
}

/** What a sentence comes to: a role, or `No access`. */
export interface Verdict {
  readonly verdict: string;
}

/** A phrase as plain text. */
export function plain(phrase: Phrase): string {
  let text = "";
  for (const part of phrase) {
    text += typeof part === "string" ? part : "name" in part ? part.name : part.verdict;
  }
  return text;
}
