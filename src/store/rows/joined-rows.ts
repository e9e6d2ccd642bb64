/** Reads many rows as one text: a block of rows at a time, which is parsed from bytes. */
import { type Connection, type SqlValue, type Statement, statement } from "../engine/engine.ts";
import { limit } from "../limit.ts";
import { holds } from "../schema/as-of.ts";
import type { Place, RowTable } from "./tables.ts";

/** Few enough that a block is parsed in a millisecond, many enough that the database is asked rarely. */
const ROWS_A_BLOCK = limit("rows.block", 500);

type Block = [rows: Uint8Array | string | null, count: number];

/**
 * The rows of a table that hold at a revision, in the order of their keys, by blocks: of each row the part, the id, and
 * then the columns of the table.
 */
export function joinedRows<Values extends SqlValue[]>({
  name,
  columns,
}: RowTable<Values>): (reader: Pick<Connection, "read">, place: Place) => AsyncGenerator<Buffer> {
  const all = ["part", "id", ...columns];
  const wanted: Statement<Block> = statement(
    (dialect) => `
      SELECT ${dialect.joinedRows(all.map(said), "id, part")}, count(*) FROM (
        SELECT ${all.map((column) => `r.${column}`).join(", ")} FROM ${name} r
          WHERE ${holds("r")} AND (r.id, r.part) > ($3, CAST($4 AS bigint))
          ORDER BY r.id, r.part LIMIT ${ROWS_A_BLOCK}) block`,
  );
  return async function* blocks(reader, { generation, revision }) {
    for (let [id, part] = ["", 0]; ;) {
      const [[rows, count] = [null, 0]] = await reader.read(wanted, generation, revision, id, part);
      if (rows === null) return;
      const bytes =
        typeof rows === "string" ? Buffer.from(rows) : Buffer.from(rows.buffer, rows.byteOffset, rows.length);
      yield bytes;
      if (count < ROWS_A_BLOCK) return;
      const last = bytes.lastIndexOf(LINE_FEED) + 1;
      const tab = bytes.indexOf(TAB, last);
      part = Number(bytes.toString("latin1", last, tab));
      id = bytes.toString("utf8", tab + 1, bytes.indexOf(TAB, tab + 1));
    }
  };
}

/** SQL: a column, or nothing where a content has no parent. */
function said(column: string): string {
  return column === "parent" ? "coalesce(parent, 0)" : column;
}

const TAB = 9;
const LINE_FEED = 10;
const MINUS = 45;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const SEMICOLON = 59;

/** Reads the fields of a block, one after the other. */
export class Fields {
  readonly bytes: Buffer;
  #at = 0;
  /** Where the text begins that was read last; it ends before {@link end}. */
  begin = 0;
  end = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length;
  }

  /** A text in the middle of a row. */
  text(): void {
    this.#until(TAB);
  }

  /** The text at the end of a row. */
  lastText(): void {
    this.#until(LINE_FEED);
  }

  #until(mark: number): void {
    const found = this.bytes.indexOf(mark, this.#at);
    this.begin = this.#at;
    this.end = found < 0 ? this.bytes.length : found;
    this.#at = this.end + 1;
  }

  number(): number {
    const { bytes } = this;
    const isNegative = bytes[this.#at] === MINUS;
    let at = isNegative ? this.#at + 1 : this.#at;
    let number = 0;
    for (let byte = bytes[at] ?? TAB; byte !== TAB; byte = bytes[++at] ?? TAB)
      number = 10 * number + byte - ZERO;
    this.#at = at + 1;
    return isNegative ? -number : number;
  }

  /**
   * A list: writes its entries from `to` on, each as the index of its number in `indexOf`, packed with what it says.
   * Returns where they end.
   */
  list(entries: Uint32Array, to: number, indexOf: Uint32Array, bits: number): number {
    const { bytes } = this;
    let at = this.#at;
    let [number, says, end] = [0, 0, to];
    for (let byte = bytes[at] ?? TAB; byte !== TAB; byte = bytes[++at] ?? TAB) {
      if (byte >= ZERO && byte <= NINE) number = 10 * number + byte - ZERO;
      else if (byte === COLON) says = (bytes[++at] ?? ZERO) - ZERO;
      else if (byte === SEMICOLON) {
        entries[end++] = ((indexOf[number] ?? 0) << bits) | says;
        number = says = 0;
      } else says = 1;
    }
    this.#at = at + 1;
    return end;
  }
}
