/** The sheet of an access review: the lines above its column names, its columns and its rows. */
import { coverOf, type ReportScope } from "../domain/scope.ts";
import { oneLine } from "../domain/text.ts";
import type { Revision } from "../store/reading.ts";
import type { ReportRow } from "../store/report.ts";

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
