import { createHash } from "node:crypto";
import { csvLines } from "../../../operations/csv.ts";
import { SHEET_COLUMNS, sheetCells, sheetHead } from "../../../operations/report-sheet.ts";
import type { Reading } from "../../../store/reading.ts";
import { reportRows } from "../../../store/report.ts";
import type { ReportScope } from "../../../domain/scope.ts";
import { mayList, mustSeeAll } from "../allow.ts";
import type { FileOperation } from "../operation.ts";
import { limitedRows } from "./report-rows.ts";
import { only, type Subject, subjectOf } from "../parameters/read.ts";

/** The largest number of rows that reviewers can decide on the page. The page keeps them all in memory. */
const MOST_ROWS = 20_000;
const KINDS = ["space", "collection", "site", "member"] as const;

export const report: FileOperation = {
  id: "explorerReport",
  path: "/explorer/report",
  summary: "Download the sheet of an access review",
  description: `The report that \`rolebook report\` writes for a space, a collection and everything in it, the spaces of a site, or one member: up to ${MOST_ROWS.toLocaleString("en")} rows. For callers who see everything.`,
  parameters: KINDS,
  ask(query) {
    const subject = subjectOf(query, KINDS);
    only(query, [subject.kind, "revision"]);
    const scope = scopeOf(subject);
    return async (asking) => {
      mustSeeAll(asking, "review access");
      await mayList(asking, subject);
      return {
        columns: SHEET_COLUMNS,
        head: async (reading) => sheetHead(reading.at, await summed(reading, scope), scope),
        async *rows(reading) {
          for await (const { rows } of reportRows(reading, scope)) yield rows.map(sheetCells);
        },
      };
    };
  },
};

function scopeOf({ kind, id }: Subject): ReportScope {
  return kind === "member" ? { users: [id] } : { [`${kind}s`]: [id] };
}

/**
 * The number of the rows and their SHA-256. Both stand in the header, before the rows, so the rows are computed twice.
 */
async function summed(reading: Reading, scope: ReportScope): Promise<{ rows: number; sha256: string }> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const rows of limitedRows(reading, scope, { rows: MOST_ROWS, command: "rolebook report" })) {
    hash.update(csvLines(rows.map(sheetCells)));
    count += rows.length;
  }
  return { rows: count, sha256: hash.digest("hex") };
}
