/** The words of a decided report, which the page writes and `rolebook review` reads: decisions, and who made them. */
import { plainCell } from "./cell.ts";
import { oneLine, quote } from "./text.ts";

/** What a reviewer decides on a row. */
export const DECISIONS = ["keep", "remove", "ask"] as const;

/** The comment of rows that were decided together begins with it, and goes on with what they have in common. */
export const AS_GROUP = "decided as a group: ";

/** Who made the decisions: a member who was signed in on the page, or whoever had these organization tokens. */
export type Decider =
  | { readonly member: string; readonly issuer: string }
  | { readonly tokens: readonly string[] };

/** Before the id of the member and the issuer, and before the names of the tokens, in the first line of a report. */
const BY = "decided by";
const WITH = "decided with";

/** The cells after the first line's name; none if it is not known who decided. */
export function deciderCells(decider: Decider | undefined): string[] {
  if (decider === undefined) return [];
  if ("member" in decider) return [BY, decider.member, decider.issuer].map(oneLine);
  return decider.tokens.length === 0 ? [] : [WITH, ...decider.tokens].map(oneLine);
}

/** Who decided, by these cells. A spreadsheet may have added empty ones. */
export function deciderIn([words, ...cells]: readonly string[]): Decider | undefined {
  const names = cells.map(plainCell).filter((name) => name !== "");
  const [member = "", issuer = ""] = names;
  if (words === BY) return { member, issuer };
  return words === WITH ? { tokens: names } : undefined;
}

export function deciderSaid(decider: Decider): string {
  const who =
    "member" in decider
      ? `${quote(decider.member)} decided, signed in with ${quote(decider.issuer)}`
      : `whoever decided had ${tokensSaid(decider.tokens)}`;
  return `The file says that ${who}. This is no signature: whoever has the file can change it.`;
}

/** Such as `the organization tokens "audit" and "reviews"`. */
function tokensSaid(names: readonly string[]): string {
  const [last = "", ...others] = names.map(quote).toReversed();
  if (others.length === 0) return `the organization token ${last}`;
  return `the organization tokens ${others.toReversed().join(", ")} and ${last}`;
}
