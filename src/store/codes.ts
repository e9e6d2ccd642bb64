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
