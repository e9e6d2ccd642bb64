import { plainCell, recordsOf } from "../../files/csv/records.ts";
import { Cell } from "../../parts/cell.ts";
import type { Client, FileEndpoint, Query } from "./client.ts";

/** The cells of a row, without the leading `'` that protects spreadsheets. */
export type Cells = readonly string[];

export interface Grouped {
  readonly state: "idle" | "reading" | "whole" | "cancelled" | "failed";
  /** The number of rows of each group. */
  readonly counts: ReadonlyMap<string, number>;
  readonly failure?: unknown;
}

/** The number of rows kept per group; all rows are counted. */
const KEPT = 10_000;
const IDLE: Grouped = { state: "idle", counts: new Map() };

/** Reads the rows of a file in groups while they arrive. Each row is one line of the file. */
export class GroupedRows {
  readonly read = new Cell(IDLE);
  readonly #client: Client;
  readonly #endpoint: FileEndpoint;
  readonly #first: string;
  #rows = new Map<string, Cells[]>();
  #stop = new AbortController();

  /** `first` is the name of the first column. */
  constructor(client: Client, endpoint: FileEndpoint, first: string) {
    this.#client = client;
    this.#endpoint = endpoint;
    this.#first = first;
    client.turns.subscribe(() => this.#end(IDLE));
  }

  /** The kept rows of a group. */
  rows(group: string): readonly Cells[] {
    return this.#rows.get(group) ?? [];
  }

  /** Reads the file again. */
  async start(query: Query, groupOf: (cells: Cells) => string): Promise<void> {
    const counts = new Map<string, number>();
    this.#end({ state: "reading", counts });
    const { signal } = (this.#stop = new AbortController());
    const rows = (this.#rows = new Map<string, Cells[]>());
    const now = (state: Grouped["state"], failure?: unknown) =>
      signal.aborted || this.read.set({ state, counts, ...(failure !== undefined && { failure }) });
    try {
      const { body } = await this.#client.stream(query, signal, this.#endpoint);
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      let isHead = true;
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        const text = rest + part.value;
        const end = text.lastIndexOf("\n") + 1;
        rest = text.slice(end);
        for (const line of recordsOf(text.slice(0, end))) {
          const cells = line.cells.map(plainCell);
          if (isHead) {
            isHead = cells[0] !== this.#first;
            continue;
          }
          const group = groupOf(cells);
          const kept = rows.get(group) ?? [];
          if (kept.length < KEPT) kept.push(cells);
          rows.set(group, kept);
          counts.set(group, (counts.get(group) ?? 0) + 1);
        }
        now("reading");
      }
      now("whole");
    } catch (failure) {
      now("failed", failure);
    }
  }

  cancel(): void {
    this.#end({ ...this.read.value, state: "cancelled" });
  }

  #end(read: Grouped): void {
    this.#stop.abort();
    this.read.set(read);
  }
}
