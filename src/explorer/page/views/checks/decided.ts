import type { Client } from "../../session/ask/client.ts";
import { type Cells, GroupedRows } from "../../session/ask/groupedRows.ts";
import { Cell } from "../../parts/cell.ts";
import { plainCell } from "../../files/csv/records.ts";
import { parseSheet, type Sheet, type SheetRow } from "../review/sheet.ts";

const UNDECIDED = "undecided";

/** A decided report from the reader's machine, and the outcomes of its rows. The decisions never leave the browser. */
export class DecidedReport {
  readonly sheet = new Cell<Sheet | undefined>(undefined);
  readonly outcomes: GroupedRows;
  #rows: ReadonlyMap<string, SheetRow> = new Map();
  #same = 0;

  constructor(client: Client) {
    this.outcomes = new GroupedRows(client, "outcomes", "outcome");
  }

  /** Opens a file and requests its outcomes. Throws an Error that says why if it is invalid or of another organization. */
  open(text: string, organization: string | undefined): void {
    const sheet = parseSheet(text);
    if (sheet.organization !== organization) throw new Error(`It is of organization ${sheet.organization}.`);
    this.#rows = new Map(sheet.rows.map((row) => [plainKey(row), row]));
    this.sheet.set(sheet);
    this.check();
  }

  /**
   * Requests the outcomes. Only the revision and the scope of the report are sent: the server computes its rows again.
   */
  check(): void {
    const { revision, covers } = this.sheet.value ?? {};
    this.#same = 0;
    void this.outcomes.start({ earlier: revision, covers }, (cells) => this.#groupOf(cells));
  }

  /** The row of the file that has the content and user of an outcome. */
  rowOf([, kind, content, , user]: Cells): SheetRow | undefined {
    return this.#rows.get(`${kind}/${content} ${user}`);
  }

  /** The number of rows of the file whose role differs from the server's report, or which that report does not have. */
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
