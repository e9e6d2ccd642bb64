/** Says what a changed record did: "team Docs was given edit on collection Handbook". */
import type { ContentKey, DefaultLevel } from "../content.ts";
import { idOf, kindOf } from "../content.ts";
import type { Phrase, Ref } from "./phrase.ts";
import { rank, type Role } from "../role.ts";

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
      readonly content: ContentKey;
      readonly user?: string;
      readonly team?: string;
      readonly was?: Role;
      readonly becomes?: Role;
    }
  | {
      readonly of: "content";
      readonly content: ContentKey;
      readonly was?: ContentSettings;
      readonly becomes?: ContentSettings;
    };

export interface ContentSettings {
  readonly parent: ContentKey | undefined;
  readonly defaultLevel: DefaultLevel;
}

export interface EventNames {
  content(key: ContentKey): string;
  team(id: string): string;
  user(id: string): string;
}

/** A changed role: "gained edit", "lowered from edit to read". An absent role is no access. */
export function verdictText(before: Role | undefined, after: Role | undefined): string {
  if (before === undefined) return `gained ${after}`;
  if (after === undefined) return `lost ${before}`;
  return `${rank(before) < rank(after) ? "raised" : "lowered"} from ${before} to ${after}`;
}

/** The first and the last revision that changed a record. */
export interface Revisions {
  readonly first: number;
  readonly revision: number;
}

/** The cause of a difference. With `undone`, the difference goes back from a later revision to an earlier one. */
export function causePhrase(
  event: Event,
  names: EventNames,
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

function eventPhrase(event: Event, names: EventNames): Phrase {
  switch (event.of) {
    case "member":
      return memberPhrase(event, names);
    case "membership":
      return [...user(event.user, names), event.joined ? " joined " : " left ", ...team(event.team, names)];
    case "permission":
      return permissionPhrase(event, names);
    case "content":
      return contentPhrase(event, names);
  }
}

function memberPhrase({ user: id, was, becomes }: Event & { of: "member" }, names: EventNames): Phrase {
  const name = user(id, names);
  if (was === undefined)
    return [...name, becomes === null ? " came as a guest" : ` came with role ${becomes}`];
  if (becomes === undefined) return [...name, " left the organization"];
  return [...name, `’s organization role went from ${was ?? "guest"} to ${becomes ?? "guest"}`];
}

function permissionPhrase(event: Event & { of: "permission" }, names: EventNames): Phrase {
  const { was, becomes } = event;
  const whom = event.user === undefined ? team(event.team ?? "", names) : user(event.user, names);
  const where = content(event.content, names);
  if (was === undefined) return [...whom, ` was given ${becomes} on `, ...where];
  if (becomes === undefined) return [...whom, `’s ${was} on `, ...where, " was taken away"];
  return [...whom, "’s permission on ", ...where, ` went from ${was} to ${becomes}`];
}

function contentPhrase({ content: key, was, becomes }: Event & { of: "content" }, names: EventNames): Phrase {
  const name = content(key, names);
  if (was === undefined) return [...name, " was added"];
  if (becomes === undefined) return [...name, " was removed"];
  const place = (parent: ContentKey | undefined): Phrase =>
    parent === undefined ? ["the top"] : content(parent, names);
  const moved: Phrase =
    was.parent === becomes.parent
      ? []
      : [...name, " was moved from ", ...place(was.parent), " to ", ...place(becomes.parent)];
  const level = `default level went from ${was.defaultLevel ?? "closed"} to ${becomes.defaultLevel ?? "closed"}`;
  if (moved.length === 0) return [...name, `’s ${level}`];
  return was.defaultLevel === becomes.defaultLevel ? moved : [...moved, ` and its ${level}`];
}

function user(id: string, names: EventNames): Phrase {
  return [{ name: names.user(id), of: { kind: "member", id } }];
}

function team(id: string, names: EventNames): Phrase {
  return ["team ", { name: names.team(id), of: { kind: "team", id } }];
}

function content(key: ContentKey, names: EventNames): Phrase {
  const of: Ref = { kind: kindOf(key), id: idOf(key) };
  return [`${kindOf(key)} `, { name: names.content(key), of }];
}
