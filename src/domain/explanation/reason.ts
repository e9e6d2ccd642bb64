import type { Decision, Rule } from "../ladder.ts";
import { type ContentKey, type ContentKind, idOf, kindOf } from "../content.ts";
import type { Name, Phrase } from "./phrase.ts";

/** A team, site, space or organization that something else names. */
export interface Titled {
  readonly id: string;
  readonly title: string;
}

export interface ContentRef extends Titled {
  readonly kind: ContentKind;
}

/** Why a row has its role: the rule of section 3 that decided, where, and through which team. */
export interface Reason {
  readonly rule: Rule;
  /** Rules `direct`, `team` and `default`: the content that decided. */
  readonly content?: ContentRef;
  /** Rule `team`. */
  readonly team?: Titled;
  /** Lists of a site: the space that gives the role. */
  readonly space?: Titled;
  /** The reason in a few words: "team Docs on Handbook". */
  readonly because: Phrase;
}

/** Titles of what reasons and sentences name. */
export interface Titles {
  content(key: ContentKey): string;
  team(id: string): string;
}

/**
 * The reason of a decision on `subject`, in a few words. `space`, in lists of a site, is the space that gives the
 * role; it is `subject` too.
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

/** `above`: the deciding content where that is not the one asked about. */
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
