import type { ContentKey, DefaultLevel } from "../../domain/content.ts";
import { rank, type Role, roleOf } from "../../domain/role.ts";

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

/** A member's row lists teams and direct permissions up to so many; of more it has `MANY` in place of the list. */
export const MOST_LISTED = 256;
export const MANY = "*";

/** The teams of a member as their row lists them. */
export function decodeTeams(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

/** A direct permission of a member as their row lists it. */
export function encodeGrant(content: string, role: Role): string {
  return `${content} ${rank(role)}`;
}

/** The direct permissions of a member as their row lists them. */
export function decodeGrants(text: string): [ContentKey, Role][] {
  if (text === "") return [];
  return text.split(",").map((grant) => {
    const space = grant.lastIndexOf(" ");
    return [decodeContent(grant.slice(0, space)), roleOf(Number(grant.slice(space + 1)))];
  });
}
