import type { ContentKey, DefaultLevel } from "../../domain/content.ts";
import { rank, type Role, roleOf } from "../../domain/role.ts";
import type { WantedWords } from "./wanted-words.ts";

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
 * The maximum number of teams or direct permissions that a member's row lists, and of teams that a space's row lists. A
 * row that would list more has {@link MANY} instead.
 */
export const MOST_LISTED = 256;
export const MANY = "*";

/** Decodes the teams in a member's row, such as `TEAM TEAM`. */
export function decodeTeams(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

const NO_TEAMS: readonly string[] = [];

/** Decodes the teams in a member's row, and returns those in `wanted`. */
export function teamsAmong(text: string, wanted: WantedWords<string>): readonly string[] {
  let found: string[] | undefined;
  for (let from = 0; from < text.length;) {
    const space = text.indexOf(" ", from);
    const to = space < 0 ? text.length : space;
    const team = wanted.in(text, from, to);
    if (team !== undefined) (found ??= []).push(team);
    from = to + 1;
  }
  return found ?? NO_TEAMS;
}

/** Decodes the direct permissions in a member's row, such as `space/ID 4,collection/ID 1`. */
export function decodeGrants(text: string): [ContentKey, Role][] {
  if (text === "") return [];
  return text.split(",").map((grant) => {
    const space = grant.lastIndexOf(" ");
    return [decodeContent(grant.slice(0, space)), roleOf(Number(grant.slice(space + 1)))];
  });
}

/**
 * Decodes the team grants of a content, such as `"TEAM",4,"TEAM",1`, with the ranks of roles. JSON.parse makes each id
 * a separate string. A substring would be slower as a key, because it refers to the whole text.
 */
export function decodeTeamGrants(text: string): Map<string, Role> {
  const listed: (string | number)[] = JSON.parse(`[${text}]`);
  const found = new Map<string, Role>();
  for (let at = 0; at < listed.length; at += 2) found.set(String(listed[at]), roleOf(Number(listed[at + 1])));
  return found;
}

const NOTHING: ReadonlyMap<never, never> = new Map<never, never>();

/**
 * Decodes the permissions in a row, and returns those whose key is in `wanted`: contents in a member's row, teams in a
 * space's row.
 */
export function grantsAmong<Key extends string>(
  text: string,
  wanted: WantedWords<Key>,
): ReadonlyMap<Key, Role> {
  let found: Map<Key, Role> | undefined;
  for (let from = 0; from < text.length;) {
    const comma = text.indexOf(",", from);
    const to = comma < 0 ? text.length : comma;
    const space = text.lastIndexOf(" ", to - 1);
    const key = wanted.in(text, from, space);
    if (key !== undefined) (found ??= new Map()).set(key, roleOf(Number(text.slice(space + 1, to))));
    from = to + 1;
  }
  return found ?? NOTHING;
}
