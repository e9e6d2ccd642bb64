import { Observable } from "../../parts/observable.ts";
import type { Client } from "../../session/client.ts";
import { type Cells, GroupedRows } from "../../session/groupedRows.ts";
import { storeInTab, storedInTab } from "../../session/tabStorage.ts";
import { type Sheet, type SheetRow, parseSheet } from "./sheet.ts";

const UNDECIDED = "undecided";

/** The key of the opened file in the session storage. */
const STORAGE_KEY = "report";

/** A decided report from the reader's machine, and the outcomes of its rows. The decisions never leave the browser. */
export class DecidedReport {
  readonly sheet = new Observable<Sheet | undefined>(undefined);
  /** Whether the report is still there after a reload of the page. */
  readonly isKept = new Observable(true);
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
    this.#show(sheet);
    // A file that is no longer open must not come back.
    storeInTab(STORAGE_KEY, undefined);
    this.isKept.set(storeInTab(STORAGE_KEY, text));
  }

  /** Opens the report that was open when the page was left. */
  restore(): void {
    const text = storedInTab(STORAGE_KEY);
    if (text !== undefined) this.#show(parseSheet(text));
  }

  end(): void {
    this.sheet.set(undefined);
    storeInTab(STORAGE_KEY, undefined);
  }

  #show(sheet: Sheet): void {
    this.#rows = new Map(sheet.rows.map((row) => [row.key, row]));
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
    const [outcome = "", , , , , , was, now] = cells;
    const became = outcome === "below" ? `${outcome}, now ${now}` : outcome;
    if (outcome === "came") return "never looked at: came";
    const row = this.rowOf(cells);
    if (row === undefined) return `not in the file: ${became}`;
    if (row.role === was) this.#same++;
    return `${row.mark.decision || UNDECIDED}: ${became}`;
  }
}
