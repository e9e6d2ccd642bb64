/** What became of the rows of a decided report, as a table, CSV or NDJSON. */
import { idOf, kindOf } from "../../domain/content.ts";
import { csvLines } from "../../operations/csv.ts";
import type { Followed } from "../../review/decided/followed.ts";
import type { Format } from "../output/list-output.ts";
import { table } from "../output/table.ts";

const TABLE = ["outcome", "content", "user", "decision", "was", "now", "reason", "since", "comment"] as const;
const CSV = [
  ["outcome", "content", "user", "decision", "was", "now", "reason", "record"],
  ["revision", "time", "change", "comment"],
].flat();

export function rowsText(format: Format, rows: readonly Followed[]): string {
  switch (format) {
    case "table":
      return rows.length === 0 ? "" : `${table(TABLE, rows.map(tableCells))}\n`;
    case "csv":
      return csvLines([CSV, ...rows.map(csvCells)]);
    case "ndjson":
      return rows.map((row) => `${JSON.stringify(objectOf(row))}\n`).join("");
  }
}

function tableCells(row: Followed): string[] {
  const { outcome, content, user, decision, was, now, reason, since, comment } = row;
  const when = since === undefined ? "" : `${since.change} (${since.time})`;
  return [outcome, content, user, decision, was, now, reason, when, comment];
}

function csvCells(row: Followed): string[] {
  const { outcome, content, user, decision, was, now, reason, record, since, comment } = row;
  const { revision = "", time = "", change = "" } = since ?? {};
  const giving = record === undefined ? "" : JSON.stringify(record);
  return [
    [outcome, content, user, decision, was, now, reason, giving],
    [String(revision), time, change, comment],
  ].flat();
}

function objectOf({ content, ...row }: Followed): object {
  return { ...row, content: { kind: kindOf(content), id: idOf(content) } };
}
