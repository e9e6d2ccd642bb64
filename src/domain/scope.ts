/** What a report covers, as its head says it: which contents, whose roles, and which roles. */
import { isRole, type Role } from "./role.ts";

/**
 * Conditions that all rows of a report meet; without any, the report has everything. Of contents, a scope names those
 * of one field only, and each list has at least one id.
 */
export interface ReportScope {
  readonly spaces?: readonly string[] | undefined;
  /** The ids of collections; the report has these collections and everything in them. */
  readonly collections?: readonly string[] | undefined;
  /** The ids of sites; the report has their spaces. */
  readonly sites?: readonly string[] | undefined;
  readonly users?: readonly string[] | undefined;
  /** The effective role of all rows. */
  readonly role?: Role | undefined;
  readonly guests?: boolean | undefined;
  /** Whether organization admins are left out. */
  readonly withoutAdmins?: boolean | undefined;
  /** The weakest effective role. */
  readonly least?: Role | undefined;
  /** Only roles from direct permissions. */
  readonly direct?: boolean | undefined;
  /** The id of a team: only roles from its permissions. */
  readonly team?: string | undefined;
  /** A day in UTC, such as 2026-03-01: only users who had no role on the content when it began, or a lower one. */
  readonly since?: string | undefined;
  /** As {@link since}, but only users who had no role: what reports of earlier versions selected. */
  readonly newSince?: string | undefined;
}

/** The weakest role of a report that names one; `undefined` if its rows have every role. */
export function weakestRole({ role, least }: ReportScope): Role | undefined {
  return role ?? least;
}

/** The cells of the line `covers` in the head of a report. */
export function coverOf(scope: ReportScope): string[] {
  return [whereOf(scope), whoOf(scope), rolesOf(scope)];
}

function rolesOf({ role, least, direct, team, withoutAdmins, since, newSince }: ReportScope): string {
  const roles = least === undefined ? "every role" : `role ${least} or stronger`;
  return [
    role === undefined ? roles : `role ${role} only`,
    ...(direct === true ? ["direct permissions only"] : []),
    ...(team === undefined ? [] : [`through team ${team} only`]),
    ...(withoutAdmins === true ? ["without organization admins"] : []),
    ...(since === undefined ? [] : [`new or risen since ${since}`]),
    ...(newSince === undefined ? [] : [`new since ${newSince}`]),
  ].join("; ");
}

export function whereOf({ spaces, collections, sites }: ReportScope): string {
  if (spaces !== undefined) return named("space", spaces);
  if (collections !== undefined)
    return `${named("collection", collections)} and all that lies in ${collections.length === 1 ? "it" : "them"}`;
  return sites === undefined ? "every space and collection" : `the spaces of ${named("site", sites)}`;
}

/** Names contents or sites by their ids, which need no quotes because they contain no blanks. */
function named(kind: string, ids: readonly string[]): string {
  return `${kind}${ids.length === 1 ? "" : "s"} ${ids.join(" and ")}`;
}

export function whoOf({ users, guests }: ReportScope): string {
  if (users === undefined) return guests === true ? "guests only" : "members and guests";
  return users.length === 1 ? `user ${users[0]} only` : `users ${users.map(quoted).join(" and ")} only`;
}

/** Ids of users contain no control characters, but perhaps the word between two of them. */
function quoted(user: string): string {
  return `"${user.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** The inverse of {@link whereOf}; `undefined` for any other text. */
export function whereNamed(words: string): ReportScope | undefined {
  const scope = {
    spaces: idsIn(words, /^space (.+)$/s, /^spaces (.+)$/s),
    collections: idsIn(
      words,
      /^collection (.+) and all that lies in it$/s,
      /^collections (.+) and all that lies in them$/s,
    ),
    sites: idsIn(words, /^the spaces of site (.+)$/s, /^the spaces of sites (.+)$/s),
  };
  return whereOf(scope) === words ? scope : undefined;
}

function idsIn(words: string, one: RegExp, several: RegExp): readonly string[] | undefined {
  const [, id] = one.exec(words) ?? [];
  return id === undefined ? several.exec(words)?.[1]?.split(" and ") : [id];
}

/** Parses the cells of the line `covers`; `undefined` for any other text. */
export function scopeNamed(covers: readonly string[]): ReportScope | undefined {
  const [where = "", who = "", roles = ""] = covers;
  const narrowing = roles.split("; ");
  const said = (words: RegExp) => narrowing.flatMap((each) => words.exec(each)?.[1] ?? [])[0];
  const scope = {
    ...whereNamed(where),
    users: usersNamed(who),
    guests: who === "guests only",
    role: roleIn(said(/^role (\w+) only$/)),
    least: roleIn(said(/^role (\w+) or stronger$/)),
    direct: narrowing.includes("direct permissions only"),
    team: said(/^through team (.+) only$/),
    withoutAdmins: narrowing.includes("without organization admins"),
    since: said(/^new or risen since (\d{4}-\d\d-\d\d)$/),
    newSince: said(/^new since (\d{4}-\d\d-\d\d)$/),
  };
  return coverOf(scope).every((words, index) => words === covers[index]) ? scope : undefined;
}

function roleIn(word: string | undefined): Role | undefined {
  return word !== undefined && isRole(word) ? word : undefined;
}

function usersNamed(who: string): readonly string[] | undefined {
  const [, user] = /^user (.+) only$/s.exec(who) ?? [];
  if (user !== undefined) return [user];
  const [, several] = /^users (.+) only$/s.exec(who) ?? [];
  return several
    ?.match(/"(?:[^"\\]|\\.)*"/g)
    ?.map((each) => each.slice(1, -1).replaceAll(/\\(["\\])/g, "$1"));
}

/** Like {@link scopeNamed}, for the cells joined by ", ". */
export function scopeSaid(covers: string): ReportScope | undefined {
  // Ids of contents and sites contain no comma; user ids may.
  const [, ...cells] = /^(.*?), (.*), (.*)$/su.exec(covers) ?? [];
  return scopeNamed(cells);
}
