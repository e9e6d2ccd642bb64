import type { Client } from "../../session/ask/client.ts";
import { type Cells, GroupedRows } from "../../session/ask/groupedRows.ts";
import { Cell } from "../../parts/cell.ts";
import { plainCell } from "../../files/csv/records.ts";
import { parseSheet, type Sheet, type SheetRow } from "../review/sheet.ts";

/** The group of outcomes without a decision in the file. */
const UNDECIDED = "undecided";

/** A decided report from the reader's machine, with the outcomes of its rows. The file stays in the browser. */
export class DecidedReport {
  readonly sheet = new Cell<Sheet | undefined>(undefined);
  /** The outcomes, grouped by decision and outcome. */
  readonly outcomes: GroupedRows;
  #rows: ReadonlyMap<string, SheetRow> = new Map();
  #same = 0;

  constructor(client: Client) {
    this.outcomes = new GroupedRows(client, "outcomes", "outcome");
  }

  /** Opens a file. Throws an Error that explains an invalid file. */
  open(text: string, organization: string | undefined): void {
    const sheet = parseSheet(text);
    if (sheet.organization !== organization) throw new Error(`It is of organization ${sheet.organization}.`);
    this.#rows = new Map(sheet.rows.map((row) => [plainKey(row), row]));
    this.sheet.set(sheet);
    this.check();
  }

  /** Requests the outcomes. The server makes the report again, so only its revision and scope are sent. */
  check(): void {
    const { revision, covers } = this.sheet.value ?? {};
    this.#same = 0;
    void this.outcomes.start({ earlier: revision, covers }, (cells) => this.#groupOf(cells));
  }

  /** The row of the file to which an outcome belongs. */
  rowOf([, kind, content, , user]: Cells): SheetRow | undefined {
    return this.#rows.get(`${kind}/${content} ${user}`);
  }

  /** The number of rows in the file that differ from the report, or that the report does not have. */
  get altered(): number {
    return this.#rows.size - this.#same;
  }

  #groupOf(cells: Cells): string {
    const [outcome = "", , , , , , was] = cells;
    if (outcome === "came") return "never looked at: came";
    const row = this.rowOf(cells);
    if (row === undefined) return `not in the file: ${outcome}`;
    if (row.cells[9] === was) this.#same++;
    return `${row.mark.decision || UNDECIDED}: ${outcome}`;
  }
}

function plainKey({ cells: [kind, content, , , user = ""] }: SheetRow): string {
  return `${kind}/${content} ${plainCell(user)}`;
}
