import type { Finding } from "../../session/session.ts";
import { wordsThatBegin } from "../../words/match.ts";
import { count } from "../../words/number.ts";

/** What a search box finds, in words; `all` is whether the reader sees everything. */
export function labelOf(finding: Finding, all: boolean): string {
  if (finding === "other") return "Find a member to compare";
  if (finding === "member") return "Find a member";
  if (finding === "content") return all ? "Find a space, collection or site" : "Find a space or collection";
  return all ? "Find a space, collection, site, member or team" : "Find a space or collection";
}

/** By what one finds it. */
export function fieldOf(finding: Finding, all: boolean): string {
  if (finding === "member" || finding === "other") return "Name or e-mail";
  return finding === "content" || !all ? "Title" : "Title, name or e-mail";
}

interface Told {
  /** What was searched for, and what stands in the field. */
  readonly q: string;
  readonly text: string;
  readonly found: number;
  readonly more: boolean;
  readonly failure: unknown;
  /** The search takes long, or nobody answers. */
  readonly slow: boolean;
  readonly away: boolean;
  /** What was open last is shown. */
  readonly recent: boolean;
}

/** What the search has to say. */
export function told(finding: Finding, all: boolean, state: Told): string {
  const { q, text, found, more, failure, slow, away, recent } = state;
  const by = fieldOf(finding, all).toLowerCase();
  if (away) return "The server is not answering. What you type is looked for when it is back.";
  if (slow) return `Looking for “${text}”…`;
  if (failure instanceof Error) return failure.message;
  if (q === "" && text !== "") return "\u00a0";
  if (q === "") return recent ? "What was open last" : `Type the beginning of a ${by}`;
  if (found > 0) return more ? `The first ${found} matches` : count(found, "match", "matches");
  return `No ${by} has ${wordsThatBegin(q)}.`;
}
