import type { ContentKey, DefaultLevel } from "../domain/content.ts";
import { rank, type Role, roleOf } from "../domain/role.ts";

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

/** The direct permissions of a member as their row lists them, all or those on `wanted`; `undefined` without any. */
export function decodeHeld(text: string, wanted?: ReadonlySet<string>): Map<ContentKey, Role> | undefined {
  if (wanted !== undefined && wanted.size <= FEW_WANTED) return findHeld(text, wanted);
  let held: Map<ContentKey, Role> | undefined;
  for (let at = 0; at < text.length;) {
    const space = text.indexOf(" ", at);
    const content = text.slice(at, space);
    if (wanted?.has(content) ?? true)
      (held ??= new Map()).set(decodeContent(content), roleAt(text, space + 1));
    at = space + BEHIND_CONTENT;
  }
  return held;
}

const NO_TEAMS: readonly string[] = [];

/** The teams of a member as their row lists them: ids, separated by spaces; those that are `wanted`. */
export function decodeTeams(text: string, wanted: ReadonlySet<string> | "all"): readonly string[] {
  if (text === "") return NO_TEAMS;
  if (wanted === "all") return text.split(" ");
  if (wanted.size > FEW_WANTED) return text.split(" ").filter((team) => wanted.has(team));
  let found: string[] | undefined;
  for (const team of wanted) if (placeOf(team, text, " ") >= 0) (found ??= []).push(team);
  return found ?? NO_TEAMS;
}

/** Where a word stands in a text, behind `before` or at its beginning, and before a space or its end; -1 if nowhere. */
export function placeOf(word: string, text: string, before: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if ((at === 0 || text[at - 1] === before) && (end === text.length || text[end] === " ")) return at;
  }
  return -1;
}

/** Up to so many are looked for in the text, where more would be looked up in their set. */
const FEW_WANTED = 8;

/** A page looks for the same few contents in many rows, most of which have none of them: no text is taken apart. */
function findHeld(text: string, wanted: ReadonlySet<string>): Map<ContentKey, Role> | undefined {
  let held: Map<ContentKey, Role> | undefined;
  for (const content of wanted) {
    const at = placeOf(content, text, ",");
    if (at >= 0) (held ??= new Map()).set(decodeContent(content), roleAt(text, at + content.length + 1));
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
