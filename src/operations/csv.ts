/** Tables for people: CSV that a spreadsheet can open safely, and the sheet of an access review. */
import Papa from "papaparse";
import { ESCAPED } from "../domain/cell.ts";
import { type Decider, deciderCells } from "../domain/decided.ts";
import { type ReportScope, coverOf } from "../domain/scope.ts";
import { oneLine } from "../domain/text.ts";
import type { Revision } from "../store/reading.ts";
import type { ReportRow } from "../store/report.ts";

/** The byte order mark, by which a spreadsheet recognizes UTF-8. */
export const BOM = "\uFEFF";

/** CSV (RFC 4180): each line ends with CRLF. A cell that a spreadsheet would run as a formula gets a leading `'`. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const cells = rows.map((row) => [...row]);
  return `${Papa.unparse(cells, { escapeFormulae: ESCAPED, newline: "\r\n" })}\r\n`;
}

/** How rows of one kind are written: `table` and `cells` as a table, `csv` and `record` as CSV, `object` as NDJSON. */
export interface RowFormat<Row> {
  readonly table: readonly string[];
  readonly cells: (row: Row) => (string | number)[];
  readonly csv: readonly string[];
  readonly record: (row: Row) => string[];
  readonly object: (row: Row) => object;
}

/** The columns of the sheet of an access review. */
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

/** The lines above the column names of such a sheet: what the sheet covers, its revision, and the SHA-256 of its rows. */
export function sheetHead(
  at: Revision,
  { rows, sha256 }: { readonly rows: number; readonly sha256: string },
  scope: ReportScope,
  decider?: Decider,
): string[][] {
  return [
    ["Rolebook report", ...deciderCells(decider)],
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
