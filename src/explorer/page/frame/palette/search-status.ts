import type { Finding } from "../../session/session.ts";
import { wordsThatBegin } from "../../words/match.ts";
import { count } from "../../words/number.ts";

/** The label of the search field; `all` is true if the reader sees everything. */
export function labelOf(finding: Finding, all: boolean): string {
  if (finding === "other") return "Find a member to compare";
  if (finding === "member") return "Find a member";
  if (finding === "content") return all ? "Find a space, collection or site" : "Find a space or collection";
  return all ? "Find a space, collection, site, member or team" : "Find a space or collection";
}

/** What the search compares with the text, such as "Name or e-mail". */
export function fieldOf(finding: Finding, all: boolean): string {
  if (finding === "member" || finding === "other") return "Name or e-mail";
  return finding === "content" || !all ? "Title" : "Title, name or e-mail";
}

interface SearchState {
  /** The text whose hits are shown; `text` is what the field has now. */
  readonly q: string;
  readonly text: string;
  readonly found: number;
  readonly more: boolean;
  readonly failure: unknown;
  /** `slow`: the search takes long; `away`: the server does not answer. */
  readonly slow: boolean;
  readonly away: boolean;
  readonly recent: boolean;
}

export function searchStatus(finding: Finding, all: boolean, state: SearchState): string {
  const { q, text, found, more, failure, slow, away, recent } = state;
  const by = fieldOf(finding, all).toLowerCase();
  if (away) return "The server is not answering. Your search runs when it is back.";
  if (slow) return `Looking for “${text}”…`;
  if (failure instanceof Error) return failure.message;
  if (q === "" && text !== "") return "\u00a0";
  if (q === "") return recent ? "Opened recently" : `Type the beginning of a ${by}`;
  if (found > 0) return more ? `The first ${found} matches` : count(found, "match", "matches");
  return `No ${by} has ${wordsThatBegin(q)}.`;
}
