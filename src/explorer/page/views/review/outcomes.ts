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
    void this.#keep(sheet, text);
  }

  /** Opens the report that was open when the page was left. */
  async restore(): Promise<void> {
    const packed = storedInTab(STORAGE_KEY);
    if (packed !== undefined) this.#show(parseSheet(await unpack(packed)));
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

  async #keep(sheet: Sheet, text: string): Promise<void> {
    // A file that is no longer open must not come back.
    storeInTab(STORAGE_KEY, undefined);
    const packed = await pack(text);
    if (this.sheet.value === sheet) this.isKept.set(storeInTab(STORAGE_KEY, packed));
  }

  #groupOf(cells: Cells): string {
    const [outcome = "", , , , , , was] = cells;
    if (outcome === "came") return "never looked at: came";
    const row = this.rowOf(cells);
    if (row === undefined) return `not in the file: ${outcome}`;
    if (row.role === was) this.#same++;
    return `${row.mark.decision || UNDECIDED}: ${outcome}`;
  }
}

/** The most arguments of one call. */
const MOST_ARGUMENTS = 4096;

/** Compresses a text, one character for each byte: session storage has room for a few million characters. */
async function pack(text: string): Promise<string> {
  const bytes = new Uint8Array(await through(new Blob([text]), new CompressionStream("gzip")).arrayBuffer());
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += MOST_ARGUMENTS)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + MOST_ARGUMENTS)));
  return parts.join("");
}

function unpack(packed: string): Promise<string> {
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  return through(new Blob([bytes]), new DecompressionStream("gzip")).text();
}

function through(blob: Blob, filter: CompressionStream | DecompressionStream): Response {
  return new Response(blob.stream().pipeThrough(filter));
}
