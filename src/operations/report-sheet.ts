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

function coverOf({ user, role, guests, ...scope }: ReportScope): string[] {
  const who = guests === true ? "guests only" : "members and guests";
  return [
    whereOf(scope),
    user === undefined ? who : `user ${user} only`,
    role === undefined ? "every role" : `role ${role} only`,
  ];
}

export function whereOf({ space, collection, site }: ReportScope): string {
  if (space !== undefined) return `space ${space}`;
  if (collection !== undefined) return `collection ${collection} and all that lies in it`;
  return site === undefined ? "every space and collection" : `the spaces of site ${site}`;
}

/** The inverse of {@link whereOf}; `undefined` for any other text. */
export function whereNamed(words: string): ReportScope | undefined {
  const [, space] = /^space (.+)$/s.exec(words) ?? [];
  const [, collection] = /^collection (.+) and all that lies in it$/s.exec(words) ?? [];
  const [, site] = /^the spaces of site (.+)$/s.exec(words) ?? [];
  const scope = { space, collection, site };
  return whereOf(scope) === words ? scope : undefined;
}

/** Parses the cells of the line `covers`; `undefined` for any other text. */
export function scopeNamed(covers: readonly string[]): ReportScope | undefined {
  const [where = "", who = "", roles = ""] = covers;
  const [, user] = /^user (.+) only$/s.exec(who) ?? [];
  const [, role] = /^role (.+) only$/s.exec(roles) ?? [];
  const scope = {
    ...whereNamed(where),
    user,
    guests: who === "guests only",
    role: role !== undefined && isRole(role) ? role : undefined,
  };
  return coverOf(scope).every((words, index) => words === covers[index]) ? scope : undefined;
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
