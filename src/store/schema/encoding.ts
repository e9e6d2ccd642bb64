/** How roles, levels, lists, positions of slots and sort keys are stored. */
import { limit } from "../../sets/limit.ts";
import type { ContentKey, DefaultLevel } from "../../domain/content.ts";
import { type Role, rank, roleOf } from "../../domain/role.ts";

/** Codes of roles and default levels. A role is stored as its rank, in one byte. */
const GUEST = 0;
export const CLOSED = 0;
export const INHERIT = -1;

/** The code of an organization role; `null` is a guest's. */
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

/** Narrows a stored content key to its type. Throws a TypeError for any other text. */
export function decodeContent(text: string): ContentKey {
  if (isContentKey(text)) return text;
  throw new TypeError(`The database holds ${JSON.stringify(text)} where a content key belongs.`);
}

function isContentKey(text: string): text is ContentKey {
  return text.startsWith("space/") || text.startsWith("collection/");
}

/**
 * The maximum number of teams or direct permissions that a member's row lists, and of teams that a content's row lists. A
 * row that would list more has {@link MANY} instead.
 */
export const MOST_LISTED = limit("encoding.listed", 256);
export const MANY = "*";

/** Decodes the teams in a member's row, such as `TEAM TEAM`. */
export function decodeTeams(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

/** Decodes the direct permissions in a member's row, such as `space/ID 4,collection/ID 1`. */
export function decodeGrants(text: string): [ContentKey, Role][] {
  if (text === "") return [];
  return text.split(",").map((grant) => {
    const space = grant.lastIndexOf(" ");
    return [decodeContent(grant.slice(0, space)), roleOf(Number(grant.slice(space + 1)))];
  });
}

/** SQL: the team grant in a row, as one of those that {@link decodeTeamGrants} decodes. */
export function listedTeamGrant(alias: string): string {
  return `'"' || ${alias}.team || '",' || ${alias}.role`;
}

/** SQL: the team grants in rows, as {@link decodeTeamGrants} decodes them. */
export function joinedTeamGrants(alias: string): string {
  return `string_agg(${listedTeamGrant(alias)}, ',' ORDER BY ${alias}.team)`;
}

/**
 * Decodes the team grants in a content's row, such as `"TEAM",4,"TEAM",1`, with the ranks of roles. JSON.parse makes each id
 * a separate string. A substring would be slower as a key, because it refers to the whole text.
 */
export function decodeTeamGrants(text: string): Map<string, Role> {
  const listed: (string | number)[] = JSON.parse(`[${text}]`);
  const found = new Map<string, Role>();
  for (let at = 0; at < listed.length; at += 2) found.set(String(listed[at]), roleOf(Number(listed[at + 1])));
  return found;
}
