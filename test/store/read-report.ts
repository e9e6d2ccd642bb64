import { createHash } from "node:crypto";
import Papa from "papaparse";
import type { ReportScope } from "../../src/domain/scope.ts";
import { writeReport } from "../../src/cli/commands/report.ts";
import { SHEET_COLUMNS } from "../../src/operations/csv.ts";
import type { World } from "../world.ts";

export interface Report {
  readonly head: ReadonlyMap<string, readonly string[]>;
  /** Each row has its cells by column name. */
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** The SHA-256 of everything after the column names. */
  readonly sha256: string;
  /** The messages before the first row. */
  readonly said: readonly string[];
}

/** The number of lines above the rows: header lines and column names. */
const HEAD = 8;

/** Makes a report in a world and parses it. */
export async function reportIn(world: World, organization: string, scope: ReportScope): Promise<Report> {
  const pieces: Buffer[] = [];
  const said: string[] = [];
  await writeReport(world.store, organization, scope, {
    write: async (piece) => void pieces.push(Buffer.from(piece)),
    say: (message) => {
      if (pieces.length > 0) throw new Error("said after the first piece was written");
      said.push(message);
    },
  });
  return { ...readReport(Buffer.concat(pieces)), said };
}

/** Parses a report file. Throws unless it begins with a byte order mark, the header lines and the column names. */
export function readReport(bytes: Buffer): Omit<Report, "said"> {
  const text = bytes.toString();
  if (!text.startsWith("\uFEFF")) throw new Error("no byte order mark");
  const { data, errors } = Papa.parse<string[]>(text.slice(1), { newline: "\r\n" });
  if (errors.some(({ code }) => code !== "UndetectableDelimiter")) throw new Error(JSON.stringify(errors));
  const columns = data[HEAD - 1] ?? [];
  if (columns.join() !== SHEET_COLUMNS.join()) throw new Error(`columns are ${columns.join()}`);
  const rows = data.slice(HEAD).filter((cells) => cells.length > 1);
  if (rows.some((cells) => cells.length !== SHEET_COLUMNS.length)) throw new Error("a row of another length");
  return {
    head: new Map(data.slice(0, HEAD - 1).map(([name = "", ...values]) => [name, values])),
    rows: rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [columns[index] ?? "", cell]))),
    sha256: createHash("sha256").update(behindHead(bytes)).digest("hex"),
  };
}

/** The bytes after the lines above the rows, as `tail -n +9` prints them. */
function behindHead(bytes: Buffer): Buffer {
  let at = 0;
  for (let line = 0; line < HEAD; line++) at = bytes.indexOf("\n", at) + 1;
  return bytes.subarray(at);
}
