/** A row of a decided report, and what its reader decided. */
import type { ContentKey } from "../../domain/content.ts";

export interface DecidedRow {
  readonly content: ContentKey;
  readonly user: string;
  readonly role: string;
  readonly decision: string;
  readonly comment: string;
}

/** What decisions come to: the three words of the explorer's review, any other word, or none yet. */
export const DECISIONS = ["keep", "remove", "ask", "other", "open"] as const;
export type Decided = (typeof DECISIONS)[number];

/** What a decision comes to; upper case and blanks around it do not matter. */
export function decidedBy(decision: string): Decided {
  const word = decision.trim().toLowerCase();
  if (word === "") return "open";
  return DECISIONS.find((each) => each === word) ?? "other";
}

/** The row of a user on a content, as the key of a map. */
export function pairOf(content: ContentKey, user: string): string {
  return `${content} ${user}`;
}
