import type { ContentKind } from "../content.ts";

/** A text in parts, so that a page can style names. Joined, the parts are the plain text. */
export type Phrase = readonly (string | Name | Verdict)[];

/** A title or display name from the directory, unchanged. */
export interface Name {
  readonly name: string;
  /** What the name refers to; absent for someone who is not in the directory. */
  readonly of?: Ref;
}

/** A kind and an id. */
export interface Ref {
  readonly kind: ContentKind | "site" | "member" | "team" | "organization";
  readonly id: string;
}

/** The outcome that a sentence states: a role, or `No access`. */
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
