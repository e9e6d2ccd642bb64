/** The sheet of an access review: the lines above its column names, its columns and its rows. */
import { isRole } from "../domain/role.ts";
import { oneLine } from "../domain/text/one-line.ts";
import type { Revision } from "../store/reading.ts";
import type { ReportRow } from "../store/reports/report.ts";
import type { ReportScope } from "../store/reports/report-scope.ts";

export const SHEET_COLUMNS = [
  "kind",
  "content",
  "title",
  "path",
  "user",
  "name",
  "email",
  "organization_role",
  "guest",
  "effective_role",
  "why",
  "decision",
  "comment",
] as const;

/** The lines above the column names: what the sheet covers, its revision, and the SHA-256 of its rows. */
export function sheetHead(
  at: Revision,
  { rows, sha256 }: { readonly rows: number; readonly sha256: string },
  scope: ReportScope,
): string[][] {
  return [
    ["Rolebook report"],
    ["organization", at.organization, oneLine(at.title)],
    ["revision", String(at.revision)],
    ["imported", at.importedAt],
    ["covers", ...coverOf(scope)],
    ["rows", String(rows)],
    ["sha256", sha256],
  ];
}

function coverOf({ role, ...scope }: ReportScope): string[] {
  return [whereOf(scope), whoOf(scope), role === undefined ? "every role" : `role ${role} only`];
}

export function whereOf({ spaces, collections, sites }: ReportScope): string {
  if (spaces !== undefined) return named("space", spaces);
  if (collections !== undefined)
    return `${named("collection", collections)} and all that lies in ${collections.length === 1 ? "it" : "them"}`;
  return sites === undefined ? "every space and collection" : `the spaces of ${named("site", sites)}`;
}

/** Ids of contents and sites contain no blanks. */
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
  const [, role] = /^role (.+) only$/s.exec(roles) ?? [];
  const scope = {
    ...whereNamed(where),
    users: usersNamed(who),
    guests: who === "guests only",
    role: role !== undefined && isRole(role) ? role : undefined,
  };
  return coverOf(scope).every((words, index) => words === covers[index]) ? scope : undefined;
}

function usersNamed(who: string): readonly string[] | undefined {
  const [, user] = /^user (.+) only$/s.exec(who) ?? [];
  if (user !== undefined) return [user];
  const [, several] = /^users (.+) only$/s.exec(who) ?? [];
  return several
    ?.match(/"(?:[^"\\]|\\.)*"/g)
    ?.map((each) => each.slice(1, -1).replaceAll(/\\(["\\])/g, "$1"));
}

/** The last two cells, decision and comment, are empty. */
export function sheetCells({ content, path, user, organizationRole, role, why }: ReportRow): string[] {
  return [
    content.kind,
    content.id,
    content.title,
    path.join(" / "),
    user.id,
    user.displayName,
    user.email ?? "",
    organizationRole ?? "",
    user.guest === true ? "yes" : "no",
    role,
    why,
    "",
    "",
  ];
}
