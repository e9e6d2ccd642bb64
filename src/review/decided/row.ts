/** A row of a decided report, with its decision. */
import type { ContentKey } from "../../domain/content.ts";

export interface DecidedRow {
  readonly content: ContentKey;
  readonly user: string;
  readonly role: string;
  readonly decision: string;
  readonly comment: string;
}

/** The words of a decision, as in the explorer's review. */
export const WORDS = ["keep", "remove", "ask"] as const;

/** The kinds of decisions: one of the words, any other text, or an empty cell. */
export const DECISIONS = [...WORDS, "other", "open"] as const;
export type Decided = (typeof DECISIONS)[number];

/** Classifies a decision, ignoring case and surrounding blanks. */
export function decidedBy(decision: string): Decided {
  const word = decision.trim().toLowerCase();
  if (word === "") return "open";
  return WORDS.find((each) => each === word) ?? "other";
}

/** A map key for the row of a user on a content. */
export function pairOf(content: ContentKey, user: string): string {
  return `${content} ${user}`;
}
