/**
 * Differences in words: what a source is and whom its removal affects, how a role differs between two states, and what a
 * changed record did ("team Docs was given edit on collection Handbook").
 */
import { type ContentKey, type DefaultLevel, kindOf } from "./content.ts";
import { type Names, type Phrase, contentName, personName, siteName, teamName } from "./reason.ts";
import { type Role, type RoleCounts, heldIn, rank } from "./role.ts";
import type { Without } from "./without.ts";

/** How a role differs, most severe first. */
export const DIRECTIONS = ["lost", "lowered", "raised", "gained"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** How many people lose all access, get a lower role, get a higher role, or gain access when a source is removed. */
export type Effect = Readonly<Record<Direction, number>>;

/** A source in words: "team Docs’s edit on collection Handbook". `gives` is the source's role or default level. */
export function sourcePhrase(without: Without, gives: Role | DefaultLevel | undefined, names: Names): Phrase {
  if (without.of === "default") {
    return ["the default level of ", ...content(without.content, names), ` (${gives ?? "closed"})`];
  }
  if (without.of === "team") return team(without.team, names);
  if (without.of === "site") {
    const { what } = without;
    const on = site(without.site, names);
    if (what === "everything") return ["all that ", ...on, " says"];
    if (what === "default") return ["the default level of ", ...on, ` (${gives ?? "closed"})`];
    return "user" in what
      ? [...user(what.user, names), `’s direct ${gives ?? "no access"} on `, ...on]
      : [...team(what.team, names), `’s ${gives ?? "no access"} on `, ...on];
  }
  const where = content(without.content, names);
  return without.of === "user"
    ? [...user(without.user, names), `’s direct ${gives ?? "permission"} on `, ...where]
    : [...team(without.team, names), `’s ${gives ?? "permission"} on `, ...where];
}

/** The four counts: "41 people lose access, 12 fall, 3 rise, none gain access". */
export function effectText({ lost, lowered, raised, gained }: Effect): string {
  return [
    lost === 0
      ? "nobody loses access"
      : lost === 1
        ? "1 person loses access"
        : `${figure(lost)} people lose access`,
    several(lowered, "falls", "fall"),
    several(raised, "rises", "rise"),
    several(gained, "gains access", "gain access"),
  ].join(", ");
}

/** The contents on which an effect is counted: "on this collection and the 42 contents that inherit from it". */
export function whereText(content: ContentKey, inheriting: number): string {
  const here = `on this ${kindOf(content)}`;
  if (inheriting === 0) return here;
  if (inheriting === 1) return `${here} and the content that inherits from it`;
  return `${here} and the ${figure(inheriting)} contents that inherit from it`;
}

function several(count: number, one: string, many: string): string {
  if (count === 1) return `1 ${one}`;
  return `${count === 0 ? "none" : figure(count)} ${many}`;
}

function figure(count: number): string {
  return count.toLocaleString("en");
}

/** A changed record. `was` is absent if the record was added, `becomes` if it was removed. */
export type Event =
  /** A role of `null` makes the member a guest. */
  | {
      readonly of: "member";
      readonly user: string;
      readonly was?: Role | null;
      readonly becomes?: Role | null;
    }
  | { readonly of: "membership"; readonly user: string; readonly team: string; readonly joined: boolean }
  | {
      readonly of: "permission";
      readonly on: { readonly content: ContentKey } | { readonly site: string };
      readonly user?: string;
      readonly team?: string;
      /** On a site, `null` is no access. */
      readonly was?: Role | null;
      readonly becomes?: Role | null;
    }
  /** The default level of a site. */
  | {
      readonly of: "site";
      readonly site: string;
      readonly was: DefaultLevel;
      readonly becomes: DefaultLevel;
    }
  /** Whether a space is in a site. */
  | { readonly of: "link"; readonly content: ContentKey; readonly site: string; readonly isAdded: boolean }
  | {
      readonly of: "content";
      readonly content: ContentKey;
      readonly was?: ContentSettings;
      readonly becomes?: ContentSettings;
    };

interface ContentSettings {
  readonly parent: ContentKey | undefined;
  readonly defaultLevel: DefaultLevel;
}

/** A changed role: "gained edit", "lowered from edit to read". An absent role is no access. */
export function verdictText(before: Role | undefined, after: Role | undefined): string {
  if (before === undefined) return `gained ${after}`;
  if (after === undefined) return `lost ${before}`;
  return `${rank(before) < rank(after) ? "raised" : "lowered"} from ${before} to ${after}`;
}

/** The first and the last revision that changed a record. */
interface Revisions {
  readonly first: number;
  readonly revision: number;
}

/**
 * The roles of a person who came, left or changed the organization role, on some contents: the organization role, then
 * what differs from it, strongest first: "read; admin on 3, edit on 2 of 78". Empty for a user who is not a member.
 */
export function rolesText(own: Role | null | undefined, counts: RoleCounts, contents: number): string {
  if (own === undefined) return "";
  const held = heldIn(counts);
  const none = contents - held.reduce((sum, role) => sum + counts[role], 0);
  const others = [
    ...held.flatMap((role) => (role === own ? [] : `${role} on ${figure(counts[role])}`)),
    // An organization role gives guests nothing, so for them, none is no exception.
    ...(own === null || none === 0 ? [] : [`none on ${figure(none)}`]),
  ];
  const name = own ?? "guest";
  if (others.length > 0) return `${name}; ${others.join(", ")} of ${figure(contents)}`;
  return own === null || contents === 0 ? name : `${name} on ${figure(contents)}`;
}

/** The cause of a difference. With `undone`, the difference goes back from a later revision to an earlier one. */
export function causePhrase(
  event: Event,
  names: Names,
  { first, revision }: Revisions,
  undone: boolean,
): Phrase {
  const happened = eventPhrase(event, names);
  const isOne = first === revision;
  const when = isOne ? `revision ${revision}` : `revisions ${first} to ${revision}`;
  return undone
    ? [`${when}, in which `, ...happened, isOne ? ", is undone" : ", are undone"]
    : [...happened, ` in ${when}`];
}

function eventPhrase(event: Event, names: Names): Phrase {
  switch (event.of) {
    case "member":
      return memberPhrase(event, names);
    case "membership":
      return [...user(event.user, names), event.joined ? " joined " : " left ", ...team(event.team, names)];
    case "permission":
      return permissionPhrase(event, names);
    case "content":
      return contentPhrase(event, names);
    case "site":
      return [...site(event.site, names), `’s ${levelPhrase(event.was, event.becomes)}`];
    case "link": {
      const verb = event.isAdded ? " was added to " : " was removed from ";
      return [...content(event.content, names), verb, ...site(event.site, names)];
    }
  }
}

function memberPhrase({ user: id, was, becomes }: Event & { of: "member" }, names: Names): Phrase {
  const name = user(id, names);
  if (was === undefined)
    return [...name, becomes === null ? " came as a guest" : ` came with role ${becomes}`];
  if (becomes === undefined) return [...name, " left the organization"];
  return [...name, `’s organization role went from ${was ?? "guest"} to ${becomes ?? "guest"}`];
}

function permissionPhrase(event: Event & { of: "permission" }, names: Names): Phrase {
  const { was, becomes, on } = event;
  const whom = event.user === undefined ? team(event.team ?? "", names) : user(event.user, names);
  const where = "site" in on ? site(on.site, names) : content(on.content, names);
  const word = (role: Role | null | undefined) => role ?? "no access";
  if (was === undefined) return [...whom, ` was given ${word(becomes)} on `, ...where];
  if (becomes === undefined) return [...whom, `’s ${word(was)} on `, ...where, " was taken away"];
  return [...whom, "’s permission on ", ...where, ` went from ${word(was)} to ${word(becomes)}`];
}

function contentPhrase({ content: key, was, becomes }: Event & { of: "content" }, names: Names): Phrase {
  const name = content(key, names);
  if (was === undefined) return [...name, " was added"];
  if (becomes === undefined) return [...name, " was removed"];
  const place = (parent: ContentKey | undefined): Phrase =>
    parent === undefined ? ["the top"] : content(parent, names);
  const moved: Phrase =
    was.parent === becomes.parent
      ? []
      : [...name, " was moved from ", ...place(was.parent), " to ", ...place(becomes.parent)];
  const level = levelPhrase(was.defaultLevel, becomes.defaultLevel);
  if (moved.length === 0) return [...name, `’s ${level}`];
  return was.defaultLevel === becomes.defaultLevel ? moved : [...moved, ` and its ${level}`];
}

function levelPhrase(was: DefaultLevel, becomes: DefaultLevel): string {
  return `default level went from ${was ?? "closed"} to ${becomes ?? "closed"}`;
}

function user(id: string, names: Names): Phrase {
  return [personName({ id, displayName: names.user(id) })];
}

function team(id: string, names: Names): Phrase {
  return ["team ", teamName({ id, title: names.team(id) })];
}

function site(id: string, names: Names): Phrase {
  return ["site ", siteName({ id, title: names.site(id) })];
}

function content(key: ContentKey, names: Names): Phrase {
  return [`${kindOf(key)} `, contentName(key, names)];
}
