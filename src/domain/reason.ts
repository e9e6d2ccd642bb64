/** Why a row of a list has its role, in words. A text is a phrase: parts, so that a page can style the names in it. */
import { type ContentKey, type ContentKind, idOf, kindOf } from "./content.ts";
import type { Decision, Rule } from "./ladder.ts";

/** A text in parts, so that a page can style its names. {@link plain} joins the parts. */
export type Phrase = readonly (string | Name | Verdict)[];

export interface Name {
  readonly name: string;
  /** Absent for a user who is not in the directory. */
  readonly of?: Ref;
}

export interface Ref {
  readonly kind: ContentKind | "site" | "member" | "team" | "organization";
  readonly id: string;
}

interface Verdict {
  readonly verdict: string;
}

export function plain(phrase: Phrase): string {
  let text = "";
  for (const part of phrase) {
    text += typeof part === "string" ? part : "name" in part ? part.name : part.verdict;
  }
  return text;
}

export interface Titled {
  readonly id: string;
  readonly title: string;
}

export interface ContentRef extends Titled {
  readonly kind: ContentKind;
}

/** Why a row of a list has its role (docs/permissions.md). */
export interface Reason {
  readonly rule: Rule;
  /** The deciding content of rules `direct`, `team` and `default`, unless a site decides. */
  readonly content?: ContentRef;
  readonly site?: Titled;
  /** The deciding team of rule `team`. */
  readonly team?: Titled;
  /** In a list of a site: the space that gives the role. */
  readonly space?: Titled;
  /** A few words: "team Docs on Handbook". */
  readonly because: Phrase;
}

export interface Titles {
  content(key: ContentKey): string;
  team(id: string): string;
  site(id: string): string;
}

/** The names that a difference mentions. */
export interface Names extends Titles {
  user(id: string): string;
}

/**
 * The reason for a decision on `subject`. In a list of a site, `space` and `subject` are the space that gives the role.
 */
export function reasonOf(subject: ContentKey, decision: Decision, titles: Titles, space?: Titled): Reason {
  const { rule, level, team: id } = decision;
  const site =
    decision.site === undefined ? undefined : { id: decision.site, title: titles.site(decision.site) };
  const at = site === undefined ? level?.content : undefined;
  const team = id === undefined ? undefined : { id, title: titles.team(id) };
  const above = at === undefined || at === subject ? undefined : contentName(at, titles);
  const words = because(decision, site === undefined ? above && [above] : ["site ", siteName(site)], team);
  return {
    rule,
    ...(at === undefined ? {} : { content: { kind: kindOf(at), id: idOf(at), title: titles.content(at) } }),
    ...(site === undefined ? {} : { site }),
    ...(team === undefined ? {} : { team }),
    ...(space === undefined ? {} : { space }),
    because: space === undefined ? words : [...words, ", in ", spaceName(space)],
  };
}

export function contentName(key: ContentKey, titles: Titles): Name {
  return { name: titles.content(key), of: { kind: kindOf(key), id: idOf(key) } };
}

export function teamName({ id, title }: Titled): Name {
  return { name: title, of: { kind: "team", id } };
}

export function personName({ id, displayName }: { id: string; displayName: string }): Name {
  return { name: displayName, of: { kind: "member", id } };
}

export function spaceName({ id, title }: Titled): Name {
  return { name: title, of: { kind: "space", id } };
}

export function siteName({ id, title }: Titled): Name {
  return { name: title, of: { kind: "site", id } };
}

/** `elsewhere` is the content or site that decides, unless the subject itself does. */
function because({ rule }: Decision, elsewhere: Phrase | undefined, team: Titled | undefined): Phrase {
  const where = (word: string): Phrase => (elsewhere === undefined ? [" here"] : [` ${word} `, ...elsewhere]);
  switch (rule) {
    case "admin":
      return ["organization admin"];
    case "direct":
      return ["direct permission", ...where("on")];
    case "team":
      return ["team ", ...(team === undefined ? [] : [teamName(team)]), ...where("on")];
    case "default":
      return ["default level", ...where("of")];
    case "organization":
      return ["organization role"];
  }
}
