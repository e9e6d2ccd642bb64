/** Compares a decided report with the report as it was made, to find altered rows and cells. */
import { createHash } from "node:crypto";
import { CommandError } from "../../domain/error.ts";
import { oneLine, quote } from "../../domain/text.ts";
import { csvLines } from "../../operations/csv.ts";
import { SHEET_COLUMNS, sheetCells } from "../../operations/report-sheet.ts";
import type { Reading } from "../../store/reading.ts";
import { reportRows } from "../../store/reports/report.ts";
import type { ReportScope } from "../../domain/scope.ts";
import { type DecidedReport, OTHER_CELLS } from "./decided-report.ts";
import { DECISION, HEAD, plainCell, readLines } from "./sheet-lines.ts";

export interface Alterations {
  /** Says what was altered, as a clause; `undefined` if nothing was. */
  readonly altered: string | undefined;
  /** A sentence for each of the first altered rows and cells, then the number of others, or why none is named. */
  readonly named: readonly string[];
}

const SORTED = "the rows are in another order, and every cell is as it was";
/** The most rows and cells that are named. */
const MOST_NAMED = 10;
/** Above this number of rows, cells are not compared, to bound memory. */
const MOST_ROWS = 1_000_000;

/**
 * Finds what was altered in a report. `before` reads the report's revision; absent if that is not kept. The report is
 * made again even if its rows match the hash in its first lines, because whoever edits the rows can also write their
 * hash.
 */
export async function alterationsOf(
  file: string,
  report: DecidedReport,
  before: Reading | undefined,
): Promise<Alterations> {
  const { scope, rows, undecided, revision } = report;
  if (before === undefined) return { altered: report.altered, named: [] };
  const made = await madeAgain(before, report);
  const isDescribed = made.sha256 === undecided;
  if (isDescribed && report.altered === undefined) return { altered: undefined, named: [] };
  const altered = report.altered ?? `the hash in the head matches the rows, but ${made.clause}`;
  if (scope === undefined || made.sha256 === undefined) return { altered, named: [] };
  if (file === "-") return { altered, named: ["To see which cells, name the report's file instead of -."] };
  if (rows.length > MOST_ROWS) {
    const most = MOST_ROWS.toLocaleString("en");
    return { altered, named: [`The report has more than ${most} rows, so its cells are not compared.`] };
  }
  if (!isDescribed && report.altered !== undefined) {
    const other = `The report of revision ${revision}, made again, is not the one that the head describes`;
    return { altered, named: [`${other}, so its cells are not compared.`] };
  }
  const { first, count } = await differences(file, before, scope);
  if (count === 0 && (altered === OTHER_CELLS || report.altered === undefined))
    return { altered: SORTED, named: [] };
  const others = count - first.length;
  return { altered, named: others > 0 ? [...first, `And ${others.toLocaleString("en")} more.`] : first };
}

/**
 * Makes the report again. `sha256` is the hash of its rows, absent if the report cannot be made; `clause` says how it
 * differs from the given one.
 */
async function madeAgain(
  before: Reading,
  { scope, covers, revision }: DecidedReport,
): Promise<{ readonly sha256?: string; readonly clause: string }> {
  const hash = createHash("sha256");
  try {
    if (scope === undefined) throw new CommandError("No report has these words.");
    for await (const { rows } of reportRows(before, scope)) hash.update(csvLines(rows.map(sheetCells)));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const cause = error.message.replace(/\.$/, "");
    return { clause: `there is no report of revision ${revision} that covers ${quote(covers)}: ${cause}` };
  }
  return {
    sha256: hash.digest("hex"),
    clause: `the report of revision ${revision}, made again, has another hash`,
  };
}

/** Names the first alterations, and counts all. */
class Found {
  readonly first: string[] = [];
  count = 0;

  add(name: string, what: string): void {
    if (++this.count <= MOST_NAMED) this.first.push(oneLine(`${name}: ${what}.`));
  }
}

async function differences(file: string, before: Reading, scope: ReportScope): Promise<Found> {
  const found = new Found();
  const rows = await rowsOf(file, found);
  for await (const part of reportRows(before, scope)) {
    for (const cells of part.rows.map(sheetCells)) {
      const name = nameOf(cells);
      const is = rows.get(name);
      rows.delete(name);
      if (is === undefined) found.add(name, "the row is missing");
      else compare(name, is, cells, found);
    }
  }
  for (const name of rows.keys()) found.add(name, "the report has no such row");
  return found;
}

/**
 * The cells of each row without its decision, by the name of the row. They are kept as JSON, a new string: slices would
 * keep the whole file in memory.
 */
async function rowsOf(file: string, found: Found): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  let lines = 0;
  await readLines(file, (some) => {
    for (const line of some) {
      if (++lines <= HEAD) continue;
      const cells = undecidedOf(line);
      const name = nameOf(cells);
      if (rows.has(name)) found.add(name, "the row occurs twice");
      rows.set(name, JSON.stringify(cells));
    }
  });
  return rows;
}

function compare(name: string, is: string, made: readonly string[], found: Found): void {
  const was = undecidedOf(made);
  if (is === JSON.stringify(was)) return;
  const cells: string[] = JSON.parse(is);
  for (const [index, cell] of cells.entries()) {
    const before = was[index] ?? "";
    if (cell !== before)
      found.add(name, `${SHEET_COLUMNS[index]} is ${quote(cell)}, and was ${quote(before)}`);
  }
}

function undecidedOf(line: readonly string[]): string[] {
  return SHEET_COLUMNS.slice(0, DECISION).map((_, index) => plainCell(line[index] ?? ""));
}

/** A row is identified by its content and user. */
function nameOf([kind = "", content = "", , , user = ""]: readonly string[]): string {
  return `${plainCell(kind)}/${plainCell(content)}, ${plainCell(user)}`;
}
