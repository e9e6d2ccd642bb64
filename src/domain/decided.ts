/** The words of a decided report, which the page writes and `rolebook review` reads: decisions, and who made them. */
import { quote } from "./text.ts";

/** What a reviewer decides on a row. */
export const DECISIONS = ["keep", "remove", "ask"] as const;

/** The comment of rows that were decided together begins with it, and goes on with what they have in common. */
export const AS_GROUP = "decided as a group: ";

/** Before who decided, in the first line of a report: a member who was signed in on the page. */
const MARK = "decided by";

/** The cells after the first line's name; none if nobody was signed in. */
export function deciderCells(member: string | undefined, issuer: string | undefined): string[] {
  return member === undefined || issuer === undefined ? [] : [MARK, member, issuer];
}

/** What these cells say, as a sentence; `undefined` if they name nobody. */
export function deciderSaid([mark, member = "", issuer = ""]: readonly string[]): string | undefined {
  if (mark !== MARK) return undefined;
  return `The file says that ${quote(member)} decided, signed in with ${quote(issuer)}. This is no signature: whoever has the file can change it.`;
}
