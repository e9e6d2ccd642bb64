import type { Finding } from "../../session/session.ts";
import { wordsThatBegin } from "../../words/match.ts";
import { count } from "../../words/number.ts";

/** The label of a search box; `all` says whether the reader sees everything. */
export function labelOf(finding: Finding, all: boolean): string {
  if (finding === "other") return "Find a member to compare";
  if (finding === "member") return "Find a member";
  if (finding === "content") return all ? "Find a space, collection or site" : "Find a space or collection";
  return all ? "Find a space, collection, site, member or team" : "Find a space or collection";
}

/** The fields that the search compares with the text, in words. */
export function fieldOf(finding: Finding, all: boolean): string {
  if (finding === "member" || finding === "other") return "Name or e-mail";
  return finding === "content" || !all ? "Title" : "Title, name or e-mail";
}

interface SearchState {
  /** The text to which the hits belong, and the text that is in the field now. */
  readonly q: string;
  readonly text: string;
  readonly found: number;
  readonly more: boolean;
  readonly failure: unknown;
  /** Whether the search is slow, or the server does not answer. */
  readonly slow: boolean;
  readonly away: boolean;
  /** Whether recent subjects are shown. */
  readonly recent: boolean;
}

/** The status line of the search. */
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
