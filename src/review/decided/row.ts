import type { ContentKey } from "../../domain/content.ts";

export interface DecidedRow {
  readonly content: ContentKey;
  readonly user: string;
  readonly role: string;
  readonly decision: string;
  readonly comment: string;
}

/** As in the explorer's review. */
export const WORDS = ["keep", "remove", "ask"] as const;

/** One of the words, any other text, or no text. */
export const DECISIONS = [...WORDS, "other", "open"] as const;
export type Decided = (typeof DECISIONS)[number];

/** Ignores case and blanks around the decision. */
export function decidedBy(decision: string): Decided {
  const word = decision.trim().toLowerCase();
  if (word === "") return "open";
  return WORDS.find((each) => each === word) ?? "other";
}

/** The key of the row of a user on a content. */
export function pairOf(content: ContentKey, user: string): string {
  return `${content} ${user}`;
}
