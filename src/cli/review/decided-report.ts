/** Reads a report with decisions, saved by a person, a spreadsheet or a script. */
import { createHash } from "node:crypto";
import { type ContentKey, contentKey } from "../../domain/content.ts";
import { copied } from "../../domain/copied.ts";
import { quote } from "../../domain/text.ts";
import { CommandError } from "../../domain/error.ts";
import { csvLines } from "../../operations/csv.ts";
import { type ReportScope, scopeNamed, whereNamed, whereOf } from "../../domain/scope.ts";
import { SHEET_COLUMNS } from "../../operations/report-sheet.ts";
import { type Newcomers, newcomersTo } from "../../review/decided/newcomers.ts";
import type { Decisions } from "../../review/decided/followed.ts";
import type { DecidedRow } from "../../review/decided/row.ts";
import { DECISION, HEAD, plainCell, readLines } from "./sheet-lines.ts";

export interface DecidedReport extends Decisions {
  /** When the report's revision was imported: ISO 8601, UTC. */
  readonly imported: string;
  /** What the report covers, in words. */
  readonly covers: string;
  /** The parsed `covers`; `undefined` if no report has these words. */
  readonly scope: ReportScope | undefined;
  /** The SHA-256 of the rows without their decisions, as the first lines state it. */
  readonly undecided: string;
  /** The SHA-256 of the file, hexadecimal. */
  readonly sha256: string;
  /** Says what was altered besides the decisions, as a clause; `undefined` if nothing was. */
  readonly altered: string | undefined;
}

export const OTHER_CELLS = "cells other than decision and comment have changed";

/** Throws a CommandError for a file that is not a report. */
export async function readDecided(file: string): Promise<DecidedReport> {
  const whole = createHash("sha256");
  const sheet = new Sheet(file);
  await readLines(file, (lines) => sheet.add(lines), whole);
  return sheet.report(whole.digest("hex"));
}

class Sheet {
  readonly #file: string;
  readonly #head = new Map<string, readonly string[]>();
  readonly #rows: DecidedRow[] = [];
  /** The hash of the rows without their decisions. */
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
    const cells = rows.map((row) => SHEET_COLUMNS.map((_, index) => row[index] ?? ""));
    for (const row of cells) this.#rows.push(this.#rowOf(row));
    const undecided = cells.map((row) =>
      row.map((cell, index) => (index >= DECISION ? "" : plainCell(cell))),
    );
    this.#undecided.update(csvLines(undecided));
  }

  #addHead([name = "", ...values]: readonly string[]): void {
    if (++this.#lines < HEAD) this.#head.set(name, values);
    else if (SHEET_COLUMNS.some((column, index) => [name, ...values][index] !== column))
      throw this.#noReport();
  }

  #noReport(): CommandError {
    return new CommandError(
      `${this.#file} is not a report of rolebook report with its head; accepted: one with its first ${HEAD} lines.`,
    );
  }

  #rowOf(row: readonly string[]): DecidedRow {
    const of = (name: (typeof SHEET_COLUMNS)[number]) =>
      this.#once(plainCell(row[SHEET_COLUMNS.indexOf(name)] ?? ""));
    const kind = of("kind");
    if (kind !== "space" && kind !== "collection") {
      throw new CommandError(
        `${this.#file}, row ${HEAD + this.#rows.length + 1}: kind is ${quote(kind)}; accepted: space, collection.`,
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

  /** One copy of each text. */
  #once(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const own = copied(text);
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
      scope: scopeNamed(of("covers")),
      undecided: of("sha256")[0] ?? "",
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
    return OTHER_CELLS;
  }
}

function newcomersOf([where = "", ...people]: readonly string[]): Newcomers | undefined {
  const scope = scopeNamed([whereOf({}), ...people]);
  const newcomers = scope && newcomersTo(scope);
  return newcomers && { ...newcomers, where: whereNamed(where) };
}
