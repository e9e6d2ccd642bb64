import type { ContentKey, DefaultLevel } from "../domain/content.ts";
import { rank, type Role, roleOf } from "../domain/role.ts";
import type { Sought } from "./sought.ts";

/** How roles and default levels are stored: ranks, so that they take one byte. */
const GUEST = 0;
export const CLOSED = 0;
export const INHERIT = -1;

/** A member's organization role; `null` for a guest. */
export function encodeMemberRole(role: Role | null): number {
  return role === null ? GUEST : rank(role);
}

export function decodeMemberRole(code: number): Role | null {
  return code === GUEST ? null : roleOf(code);
}

export function encodeDefaultLevel(level: DefaultLevel): number {
  if (level === "inherit") return INHERIT;
  return level === null ? CLOSED : rank(level);
}

export function decodeDefaultLevel(code: number): DefaultLevel {
  if (code === INHERIT) return "inherit";
  return code === CLOSED ? null : roleOf(code);
}

/** Turns a stored content key back into its type: the check that reading from a database needs. */
export function decodeContent(text: string): ContentKey {
  if (isContentKey(text)) return text;
  throw new TypeError(`The database holds ${JSON.stringify(text)} where a content key belongs.`);
}

function isContentKey(text: string): text is ContentKey {
  return text.startsWith("space/") || text.startsWith("collection/");
}

/** Members who hold more direct permissions have `MANY` in place of the list: a page must not carry thousands. */
export const MOST_HELD = 250;
export const MANY = "*";

/** The direct permissions of a member as their row lists them, all or those on `sought`; `undefined` without any. */
export function decodeHeld(text: string, sought?: Sought<ContentKey>): Map<ContentKey, Role> | undefined {
  let held: Map<ContentKey, Role> | undefined;
  for (let at = 0; at < text.length;) {
    const space = text.indexOf(" ", at);
    const content = sought === undefined ? decodeContent(text.slice(at, space)) : sought.in(text, at, space);
    if (content !== undefined) (held ??= new Map()).set(content, roleAt(text, space + 1));
    at = space + BEHIND_CONTENT;
  }
  return held;
}

/** The role whose rank stands at a place of a text, as one digit. */
export function roleAt(text: string, place: number): Role {
  return roleOf(text.charCodeAt(place) - ZERO);
}

/** Behind a content: a space, its role as one digit, and the comma before the next. */
const BEHIND_CONTENT = 3;
const ZERO = "0".charCodeAt(0);

const NO_TEAMS: readonly string[] = [];

/** The teams of a member as their row lists them: ids, separated by spaces; all or those that are sought. */
export function decodeTeams(text: string, sought: Sought<string> | "all"): readonly string[] {
  if (text === "") return NO_TEAMS;
  if (sought === "all") return text.split(" ");
  if (sought.size === 0) return NO_TEAMS;
  let found: string[] | undefined;
  for (let at = 0; at < text.length;) {
    const space = text.indexOf(" ", at);
    const end = space < 0 ? text.length : space;
    const team = sought.in(text, at, end);
    if (team !== undefined) (found ??= []).push(team);
    at = end + 1;
  }
  return found ?? NO_TEAMS;
}

/** Names of the sorted lists in `posting` and `space_posting`. Ids hold no slash, so no two names meet. */
export const posting = {
  team: (team: string) => `team/${team}`,
  memberRole: (role: Role | null) => `role/${role ?? "guest"}`,
  direct: (content: ContentKey) => `direct/${content}`,
  given: (role: Role, content: ContentKey) => `given/${role}/${content}`,
  user: (user: string) => `user/${user}`,
  under: (collection: string) => `under/${collection}`,
  open: "open",
} as const;
