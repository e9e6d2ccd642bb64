/** The words of a decided report, which the page writes and `rolebook review` reads. */

/** What a reviewer decides on a row. */
export const DECISIONS = ["keep", "remove", "ask"] as const;

/** The comment of rows that were decided together begins with it, and goes on with what they have in common. */
export const AS_GROUP = "decided as a group: ";
