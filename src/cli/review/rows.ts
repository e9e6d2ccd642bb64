/** The columns and rows of `rolebook review`, for each output format. */
import { idOf, kindOf } from "../../domain/content.ts";
import type { Followed } from "../../review/decided/followed.ts";
import type { Sheet } from "../output/rows-output.ts";

const TABLE = ["outcome", "content", "user", "decision", "was", "now", "reason", "since", "comment"] as const;
const CSV = [
  ["outcome", "content", "user", "decision", "was", "now", "reason", "record"],
  ["revision", "time", "change", "comment"],
].flat();

export const FOLLOWED: Sheet<Followed> = {
  table: TABLE,
  cells: tableCells,
  csv: CSV,
  record: csvCells,
  object: ({ content, ...row }) => ({ ...row, content: { kind: kindOf(content), id: idOf(content) } }),
};

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
