import type { Decision, Rule } from "../ladder.ts";
import { type ContentKey, type ContentKind, idOf, kindOf } from "../content.ts";
import type { Name, Phrase } from "./phrase.ts";

/** The id and title of a team, site, space or organization. */
export interface Titled {
  readonly id: string;
  readonly title: string;
}

export interface ContentRef extends Titled {
  readonly kind: ContentKind;
}

/** Why a row has its role: the deciding rule of section 3, the content and the team. */
export interface Reason {
  readonly rule: Rule;
  /** For rules `direct`, `team` and `default`: the deciding content. */
  readonly content?: ContentRef;
  /** For rule `team`: the deciding team. */
  readonly team?: Titled;
  /** In lists of a site: the space that gives the role. */
  readonly space?: Titled;
  /** The reason in a few words: "team Docs on Handbook". */
  readonly because: Phrase;
}

/** Titles of the contents and teams that reasons and sentences mention. */
export interface Titles {
  content(key: ContentKey): string;
  team(id: string): string;
}

/**
 * The reason for a decision on `subject`, in a few words. In lists of a site, `space` and `subject` are the space
 * that gives the role.
 */
export function reasonOf(subject: ContentKey, decision: Decision, titles: Titles, space?: Titled): Reason {
  const { rule, level, team: id } = decision;
  const at = level?.content;
  const team = id === undefined ? undefined : { id, title: titles.team(id) };
  const above = at === undefined || at === subject ? undefined : contentName(at, titles);
  const words = because(decision, above, team);
  return {
    rule,
    ...(at === undefined ? {} : { content: { kind: kindOf(at), id: idOf(at), title: titles.content(at) } }),
    ...(team === undefined ? {} : { team }),
    ...(space === undefined ? {} : { space }),
    because:
      space === undefined
        ? words
        : [...words, ", in ", { name: space.title, of: { kind: "space", id: space.id } }],
  };
}

/** A content by its title. */
export function contentName(key: ContentKey, titles: Titles): Name {
  return { name: titles.content(key), of: { kind: kindOf(key), id: idOf(key) } };
}

/** A team by its title. */
export function teamName({ id, title }: Titled): Name {
  return { name: title, of: { kind: "team", id } };
}

/** The reason in words. `above` is the deciding content if it is not the requested one. */
function because({ rule }: Decision, above: Name | undefined, team: Titled | undefined): Phrase {
  const where = (word: string): Phrase => (above === undefined ? [" here"] : [` ${word} `, above]);
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
