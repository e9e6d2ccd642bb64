/** Who decided a report on the page: a member who was signed in, as cells of the report's first line. */
import { quote } from "./text.ts";

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
