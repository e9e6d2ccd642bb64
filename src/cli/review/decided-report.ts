/** A report with the decisions of its reader, as a person, a spreadsheet or a script saved it. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import Papa from "papaparse";
import { contentKey } from "../../domain/content.ts";
import { CommandError } from "../../domain/error.ts";
import { quote } from "../../domain/text/quote.ts";
import { csvLines } from "../../operations/csv.ts";
import { SHEET_COLUMNS } from "../../operations/report-sheet.ts";
import type { Newcomers } from "../../review/decided/outcomes.ts";
import type { Decisions } from "../../review/decided/followed.ts";
import type { DecidedRow } from "../../review/decided/row.ts";

export interface DecidedReport extends Decisions {
  /** When the revision of the report was imported. ISO 8601, UTC. */
  readonly imported: string;
  /** What the report covers, in words. */
  readonly covers: string;
  /** SHA-256 of the file as it is, hexadecimal. */
  readonly sha256: string;
  /** What differs from the report as it was handed over, beyond the decisions; `undefined` where nothing does. */
  readonly altered: string | undefined;
}

/** Lines before the rows: the head, then the names of the columns. */
const HEAD = 8;
const DECISION = SHEET_COLUMNS.indexOf("decision");

/** Reads a decided report. Throws a CommandError where it is none. */
export function readDecided(file: string): DecidedReport {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new CommandError(`The report ${file} cannot be read: ${why}.`);
  }
  const { data } = Papa.parse<string[]>(bytes.toString().replace(/^\uFEFF/, ""), {
    skipEmptyLines: "greedy",
  });
  const head = new Map(data.slice(0, HEAD - 1).map(([name = "", ...values]) => [name, values]));
  const columns = data[HEAD - 1] ?? [];
  if (!head.has("Rolebook report") || SHEET_COLUMNS.some((name, place) => columns[place] !== name)) {
    throw new CommandError(
      `${file} is no report of rolebook report with its head; accepted: one with line 1 to ${HEAD}.`,
    );
  }
  const cells = data.slice(HEAD).map((row) => SHEET_COLUMNS.map((_, place) => row[place] ?? ""));
  const [organization = ""] = head.get("organization") ?? [];
  const [revision = ""] = head.get("revision") ?? [];
  if (!/^[1-9]\d{0,14}$/.test(revision)) {
    throw new CommandError(`${file}: revision is ${quote(revision)}; accepted: the number of a revision.`);
  }
  const [imported = ""] = head.get("imported") ?? [];
  const [where = "", who = "", roles = ""] = head.get("covers") ?? [];
  return {
    organization,
    revision: Number(revision),
    imported,
    covers: [where, who, roles].join(", "),
    sha256: createHash("sha256").update(bytes).digest("hex"),
    rows: cells.map((row, index) => rowOf(row, `${file}, row ${index + 1}`)),
    newcomers: roles !== "every role" ? "nobody" : newcomersOf(who),
    altered: alteredIn(cells, head),
  };
}

function newcomersOf(who: string): Newcomers {
  if (who === "members and guests") return "everybody";
  return who === "guests only" ? "guests" : "nobody";
}

/** A cell without the `'` that keeps spreadsheets from running it. */
function plainCell(cell: string): string {
  return /^'[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}

function rowOf(row: readonly string[], place: string): DecidedRow {
  const of = (name: (typeof SHEET_COLUMNS)[number]) => plainCell(row[SHEET_COLUMNS.indexOf(name)] ?? "");
  const kind = of("kind");
  if (kind !== "space" && kind !== "collection") {
    throw new CommandError(`${place}: kind is ${quote(kind)}; accepted: space, collection.`);
  }
  return {
    content: contentKey(kind, of("content")),
    user: of("user"),
    role: of("effective_role"),
    decision: of("decision"),
    comment: of("comment"),
  };
}

/** Works the hash of the head out again, over the rows as they were before anybody decided. */
function alteredIn(
  cells: readonly (readonly string[])[],
  head: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const [rows = ""] = head.get("rows") ?? [];
  if (rows !== String(cells.length)) return `the head tells ${rows} rows, and there are ${cells.length}`;
  const undecided = cells.map((row) => row.map((cell, place) => (place >= DECISION ? "" : plainCell(cell))));
  const found = createHash("sha256").update(csvLines(undecided)).digest("hex");
  const [expected = ""] = head.get("sha256") ?? [];
  return found === expected ? undefined : "cells other than decision and comment are not what they were";
}
