/** A report with the decisions of its reader, as a person, a spreadsheet or a script saved it. */
import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import Papa from "papaparse";
import { type ContentKey, contentKey } from "../../domain/content.ts";
import { CommandError } from "../../domain/error.ts";
import { quote } from "../../domain/text/quote.ts";
import { csvLines } from "../../operations/csv.ts";
import { SHEET_COLUMNS, whereNamed } from "../../operations/report-sheet.ts";
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

/** Reads a decided report piece by piece; its rows are kept. Throws a CommandError where it is none. */
export async function readDecided(file: string): Promise<DecidedReport> {
  const whole = createHash("sha256");
  const sheet = new Sheet(file);
  const source = Readable.from(texts(file, whole));
  await new Promise<void>((resolve, reject) => {
    Papa.parse<string[]>(source, {
      skipEmptyLines: "greedy",
      chunk: ({ data }) => sheet.add(data),
      complete: () => resolve(),
      error: reject,
    });
  }).catch((error: unknown) => {
    if (error instanceof CommandError) throw error;
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new CommandError(`The report ${file} cannot be read: ${why}.`);
  });
  source.destroy();
  return sheet.report(whole.digest("hex"));
}

/** The text of a file, without a byte order mark. `whole` takes its bytes. */
async function* texts(file: string, whole: Hash): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const source: AsyncIterable<Buffer> = file === "-" ? process.stdin : createReadStream(file);
  for await (const piece of source) {
    whole.update(piece);
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
}

/** A sheet while it is read. */
class Sheet {
  readonly #file: string;
  readonly #head = new Map<string, readonly string[]>();
  readonly #rows: DecidedRow[] = [];
  /** Over the rows as they were before anybody decided. */
  readonly #undecided = createHash("sha256");
  readonly #texts = new Map<string, string>();
  readonly #contents = new Map<ContentKey, ContentKey>();
  #lines = 0;

  constructor(file: string) {
    this.#file = file;
  }

  add(lines: readonly (readonly string[])[]): void {
    const rows = lines.slice(Math.max(0, HEAD - this.#lines));
    for (const line of lines.slice(0, lines.length - rows.length)) this.#addHead(line);
    const cells = rows.map((row) => SHEET_COLUMNS.map((_, place) => row[place] ?? ""));
    for (const row of cells) this.#rows.push(this.#rowOf(row));
    const undecided = cells.map((row) =>
      row.map((cell, place) => (place >= DECISION ? "" : plainCell(cell))),
    );
    this.#undecided.update(csvLines(undecided));
  }

  #addHead([name = "", ...values]: readonly string[]): void {
    if (++this.#lines < HEAD) this.#head.set(name, values);
    else if (SHEET_COLUMNS.some((column, place) => [name, ...values][place] !== column))
      throw this.#noReport();
  }

  #noReport(): CommandError {
    return new CommandError(
      `${this.#file} is no report of rolebook report with its head; accepted: one with line 1 to ${HEAD}.`,
    );
  }

  #rowOf(row: readonly string[]): DecidedRow {
    const of = (name: (typeof SHEET_COLUMNS)[number]) =>
      this.#once(plainCell(row[SHEET_COLUMNS.indexOf(name)] ?? ""));
    const kind = of("kind");
    if (kind !== "space" && kind !== "collection") {
      throw new CommandError(
        `${this.#file}, row ${this.#rows.length + 1}: kind is ${quote(kind)}; accepted: space, collection.`,
      );
    }
    const key = contentKey(kind, of("content"));
    const content = this.#contents.get(key) ?? key;
    this.#contents.set(content, content);
    return {
      content,
      user: of("user"),
      role: of("effective_role"),
      decision: of("decision"),
      comment: of("comment"),
    };
  }

  /** A text as one of its own, the same one for all rows: as it was cut out, it would keep a piece of the file. */
  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const own = Buffer.from(text).toString();
    this.#texts.set(own, own);
    return own;
  }

  report(sha256: string): DecidedReport {
    if (this.#lines < HEAD || !this.#head.has("Rolebook report")) throw this.#noReport();
    const of = (name: string) => this.#head.get(name) ?? [];
    const [revision = ""] = of("revision");
    if (!/^[1-9]\d{0,14}$/.test(revision)) {
      throw new CommandError(
        `${this.#file}: revision is ${quote(revision)}; accepted: the number of a revision.`,
      );
    }
    return {
      organization: of("organization")[0] ?? "",
      revision: Number(revision),
      imported: of("imported")[0] ?? "",
      covers: of("covers").slice(0, 3).join(", "),
      sha256,
      rows: this.#rows,
      newcomers: newcomersOf(of("covers")),
      altered: this.#altered(of("rows")[0], of("sha256")[0]),
    };
  }

  #altered(rows: string | undefined, sha256: string | undefined): string | undefined {
    const found = this.#rows.length;
    if (rows !== String(found)) return `the head says ${rows ?? ""} rows, but the file has ${found}`;
    if (this.#undecided.digest("hex") === sha256) return undefined;
    return "cells other than decision and comment have changed";
  }
}

function newcomersOf([where = "", who, roles]: readonly string[]): Newcomers | undefined {
  if (roles !== "every role" || (who !== "members and guests" && who !== "guests only")) return undefined;
  return { guests: who === "guests only", where: whereNamed(where) };
}

/** A cell without the `'` that keeps spreadsheets from running it. */
function plainCell(cell: string): string {
  return /^'[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell;
}
