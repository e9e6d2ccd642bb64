import type { ContentKind } from "../content.ts";

/** A text in parts, so that a page can style its names. {@link plain} joins the parts. */
export type Phrase = readonly (string | Name | Verdict)[];

export interface Name {
  readonly name: string;
  /** Absent for a user who is not in the directory. */
  readonly of?: Ref;
}

export interface Ref {
  readonly kind: ContentKind | "site" | "member" | "team" | "organization";
  readonly id: string;
}

export interface Verdict {
  readonly verdict: string;
}

export function plain(phrase: Phrase): string {
  let text = "";
  for (const part of phrase) {
    text += typeof part === "string" ? part : "name" in part ? part.name : part.verdict;
  }
  return text;
}
