/**
 * A decided report: its rows and decisions, how it is read from a saved sheet, and how it is compared with the report as it
 * was made, because whoever edits cells can also edit the hash in its head.
 */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import Papa from "papaparse";
import { type ContentKey, contentKey, idOf, kindOf } from "../domain/content.ts";
import { copied } from "../domain/copied.ts";
import { plainCell } from "../domain/cell.ts";
import { DECISIONS as WORDS, type Decider, deciderIn } from "../domain/decided.ts";
import { CommandError } from "../domain/error.ts";
import { type Role, atLeast, isRole } from "../domain/role.ts";
import { type ReportScope, scopeNamed, weakestRole, whereNamed, whereOf } from "../domain/scope.ts";
import { oneLine, quote } from "../domain/text.ts";
import { SHEET_COLUMNS, csvLines, sheetCells } from "../operations/csv.ts";
import type { Reading } from "../store/reading.ts";
import { reportRows } from "../store/report.ts";
import { giveTurn } from "../store/turns.ts";

export interface DecidedRow {
  readonly content: ContentKey;
  readonly user: string;
  readonly role: string;
  readonly decision: string;
  readonly comment: string;
}

/** One of the words, any other text, or no text. */
export const DECISIONS = [...WORDS, "other", "open"] as const;
export type DecisionKind = (typeof DECISIONS)[number];

/** Ignores case and blanks around the decision. */
export function decidedBy(decision: string): DecisionKind {
  const word = decision.trim().toLowerCase();
  if (word === "") return "open";
  return WORDS.find((each) => each === word) ?? "other";
}

/** The key of the row of a user on a content. */
export function pairOf(content: ContentKey, user: string): string {
  return `${content} ${user}`;
}

/**
 * Whether a role fell beneath the weakest one that a report covers: then what the report asked about is gone, as if
 * there were no role. `was` is the role in the report.
 */
export function hasFallenBelow(was: string, now: Role, weakest: Role | undefined): boolean {
  return weakest !== undefined && isRole(was) && atLeast(was, weakest) && !atLeast(now, weakest);
}

/** Which newcomers are listed: those whom the same report would list today. */
export interface Newcomers {
  /** Whose roles are listed: guests, a least role, and so on. */
  readonly scope: ReportScope;
  /** The contents on which newcomers are listed; absent if only those that have a row in the report. */
  readonly where: ReportScope | undefined;
}

/** Which newcomers a report is about; `undefined` if it covers only some users or one role. */
export function newcomersTo(scope: ReportScope): Newcomers | undefined {
  return scope.users === undefined && scope.role === undefined ? { scope, where: scope } : undefined;
}

export interface Decisions {
  readonly organization: string;
  /** The revision of the report. */
  readonly revision: number;
  readonly rows: readonly DecidedRow[];
  /** Absent if the report covers only some people or roles; then nobody has the outcome `came`. */
  readonly newcomers: Newcomers | undefined;
  /** The weakest role that the report covers; absent if it covers every role. */
  readonly weakest: Role | undefined;
}

/** The lines before the first row: seven about the report, and the column names. */
const HEAD = 8;
/** The first column that the reviewer fills in. */
const DECISION = SHEET_COLUMNS.indexOf("decision");

/** A report as it was saved. */
export interface SavedReport {
  readonly name: string;
  /** Whether it can be read a second time, which comparing its cells needs. */
  readonly isRepeatable: boolean;
  /** The text in pieces; `heard` receives the bytes. */
  read(heard?: (piece: Buffer) => void): AsyncIterable<string>;
}

/** In characters. While a piece is parsed, nothing else happens in the process. */
const PIECE = 1 << 16;
/** In characters. A longer row has a quote that is not closed; each piece of it would be parsed again with the next. */
const LONGEST_ROW = 1 << 18;

/** Parses a report in batches of lines. Throws a CommandError for a row that is too long. */
async function readLines(
  name: string,
  texts: AsyncIterable<string>,
  add: (lines: readonly (readonly string[])[]) => void,
): Promise<void> {
  let row = 1;
  let unread = 0;
  async function* pieces(): AsyncGenerator<string> {
    for await (const text of texts) {
      for (let at = 0; at < text.length; at += PIECE) {
        unread += Math.min(PIECE, text.length - at);
        yield text.slice(at, at + PIECE);
        await giveTurn();
      }
    }
  }
  const source = Readable.from(pieces());
  await new Promise<void>((resolve, reject) => {
    Papa.parse<string[]>(source, {
      skipEmptyLines: "greedy",
      chunk({ data }) {
        add(data);
        row += data.length;
        if (data.length > 0) unread = 0;
        if (unread <= LONGEST_ROW) return;
        throw new CommandError(
          `${name}, row ${row}: the row is longer than ${LONGEST_ROW} characters; is there a quote that is not closed?`,
        );
      },
      complete: () => resolve(),
      error: reject,
    });
  }).finally(() => source.destroy());
}

/** The most rows that are named. */
const MOST_WORDS = 100;

interface OtherWords {
  /** A sentence for each of the first rows with another decision, then the number of the others. */
  readonly named: readonly string[];
  /** How many rows have another decision, as a sentence after a blank; empty if none has. */
  readonly count: string;
}

/** Names the rows with other decisions, by the numbers that a spreadsheet shows. */
export function otherWords(rows: readonly DecidedRow[]): OtherWords {
  const named: string[] = [];
  let found = 0;
  for (const [index, { content, user, decision }] of rows.entries()) {
    if (decidedBy(decision) !== "other" || ++found > MOST_WORDS) continue;
    const row = `Row ${HEAD + index + 1} (${kindOf(content)}/${idOf(content)}, ${user})`;
    named.push(oneLine(`${row}: decision is ${quote(decision)}; accepted: ${WORDS.join(", ")} or empty.`));
  }
  if (found > MOST_WORDS) {
    named.push(`And ${(found - MOST_WORDS).toLocaleString("en")} more; --decision other lists them.`);
  }
  return { named, count: found === 0 ? "" : ` Decisions in other words: ${found.toLocaleString("en")}.` };
}

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
  /** Who decided, if the page wrote it into the file. */
  readonly decider: Decider | undefined;
}

const OTHER_CELLS = "cells other than decision and comment have changed";

/** Throws a CommandError for a file that is not a report. */
export async function readDecided(saved: SavedReport): Promise<DecidedReport> {
  const whole = createHash("sha256");
  const sheet = new SheetReader(saved.name);
  await readLines(
    saved.name,
    saved.read((piece) => whole.update(piece)),
    (lines) => sheet.add(lines),
  );
  return sheet.report(whole.digest("hex"));
}

class SheetReader {
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
    if (this.#head.has("Rolebook diff")) {
      return new CommandError(
        `${this.#file} is the CSV of rolebook diff, which has no decisions; accepted: a report, such as rolebook report --since 2026-01-01 writes.`,
      );
    }
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
    const of = (name: string) => (this.#head.get(name) ?? []).map(plainCell);
    const [revision = ""] = of("revision");
    const scope = scopeNamed(of("covers"));
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
      scope,
      weakest: scope && weakestRole(scope),
      undecided: of("sha256")[0] ?? "",
      sha256,
      rows: this.#rows,
      newcomers: newcomersOf(of("covers")),
      altered: this.#altered(of("rows")[0], of("sha256")[0]),
      decider: deciderIn(of("Rolebook report")),
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

interface Alterations {
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
  saved: SavedReport,
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
  if (!saved.isRepeatable)
    return { altered, named: ["To see which cells, name the report's file instead of -."] };
  if (rows.length > MOST_ROWS) {
    const most = MOST_ROWS.toLocaleString("en");
    return { altered, named: [`The report has more than ${most} rows, so its cells are not compared.`] };
  }
  if (!isDescribed && report.altered !== undefined) {
    const other = `The report of revision ${revision}, made again, is not the one that the head describes`;
    return { altered, named: [`${other}, so its cells are not compared.`] };
  }
  const { first, count } = await differences(saved, before, scope);
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
  { scope, covers, revision, rows: found }: DecidedReport,
): Promise<{ readonly sha256?: string; readonly clause: string }> {
  const hash = createHash("sha256");
  let made = 0;
  try {
    if (scope === undefined) throw new CommandError("No report has these words.");
    for await (const { rows } of reportRows(before, scope)) {
      hash.update(csvLines(rows.map(sheetCells)));
      made += rows.length;
      // More rows than the file has: its hash is another one, however many are left.
      if (made > found.length) break;
      await giveTurn();
    }
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
class AlterationList {
  readonly first: string[] = [];
  count = 0;

  add(name: string, what: string): void {
    if (++this.count <= MOST_NAMED) this.first.push(oneLine(`${name}: ${what}.`));
  }
}

async function differences(saved: SavedReport, before: Reading, scope: ReportScope): Promise<AlterationList> {
  const found = new AlterationList();
  const rows = await rowsOf(saved, found);
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
async function rowsOf(saved: SavedReport, found: AlterationList): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  let lines = 0;
  await readLines(saved.name, saved.read(), (some) => {
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

function compare(name: string, is: string, made: readonly string[], found: AlterationList): void {
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
