/** Sheets of an access review: opens, marks and saves the file of `rolebook report`. */
import { recordsOf } from "../../files/csv/records.ts";

/** The cells that a reviewer fills in, after those of the server. */
export interface Mark {
  readonly decision: string;
  readonly comment: string;
}

export interface SheetRow {
  /** The key of a mark: kind and id of the content, and the user's id. */
  readonly key: string;
  readonly cells: readonly string[];
  /** The text of the row in the file, up to the decision. */
  readonly text: string;
  readonly mark: Mark;
}

export interface Sheet {
  /** The lines before the rows, as in the file. */
  readonly head: string;
  readonly organization: string;
  readonly revision: string;
  readonly imported: string;
  readonly covers: string;
  readonly sha256: string;
  readonly rows: readonly SheetRow[];
}

export const DECISIONS = ["keep", "remove", "ask"] as const;

const TITLE = "Rolebook report";
/** The number of header lines before the column names. */
const HEAD = 7;
/** The index of the first cell to fill in, and the number of cells. */
const DECISION = 11;
const COLUMNS = 13;

/** Parses a sheet. Throws an Error that says what is wrong with an invalid file. */
export function parseSheet(text: string): Sheet {
  const records = recordsOf(text);
  const lines = records.slice(0, HEAD);
  const fact = (name: string) => lines.find(({ cells }) => cells[0] === name)?.cells.slice(1) ?? [];
  const [sha256] = fact("sha256");
  const columns = records[HEAD];
  if (lines[0]?.cells[0]?.replace("\uFEFF", "") !== TITLE || sha256 === undefined || columns === undefined)
    throw new Error("This is not a sheet of rolebook report with its head.");
  const rows = records.slice(HEAD + 1).map(({ cells, starts, from }, at) => {
    if (cells.length !== COLUMNS)
      throw new Error(`Row ${at + 1} has ${cells.length} cells; a sheet has ${COLUMNS}.`);
    const [kind, content, , , user, , , , , , , decision = "", comment = ""] = cells;
    const mark = { decision: decision.trim().toLowerCase(), comment };
    return { key: `${kind}/${content} ${user}`, cells, text: text.slice(from, starts[DECISION]), mark };
  });
  const first = records[HEAD + 1]?.from ?? text.length;
  return {
    head: text.slice(0, first),
    organization: fact("organization")[0] ?? "",
    revision: fact("revision")[0] ?? "",
    imported: fact("imported")[0] ?? "",
    // Spreadsheets pad lines with empty cells.
    covers: fact("covers").slice(0, 3).join(", "),
    sha256,
    rows,
  };
}

/** Whether the server's cells are unchanged; `undefined` if that cannot be computed. */
export async function isIntact({ rows, sha256 }: Sheet): Promise<boolean | undefined> {
  // Browsers compute hashes only on pages from HTTPS or from this machine.
  if (crypto.subtle === undefined) return undefined;
  const text = rows.map((row) => `${row.text},\r\n`).join("");
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return hex.join("") === sha256;
}

/** The file of a sheet with marks; everything else is unchanged. */
export function write({ head, rows }: Sheet, markOf: (row: SheetRow) => Mark): string {
  // Reading a file as text removes its byte order mark.
  return (
    `\uFEFF${head.replace("\uFEFF", "")}` +
    rows
      .map((row) => {
        const { decision, comment } = markOf(row);
        return `${row.text}${decision},${cell(comment)}\r\n`;
      })
      .join("")
  );
}

/**
 * A cell for the file. A text that a spreadsheet would run as a formula gets an apostrophe, as in the server's cells.
 */
function cell(text: string): string {
  const safe = /^'*[=+\-@\t\r\n＝＋－＠]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$|^'/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
