import { plainCell } from "../../../domain/cell.ts";
import { recordsOf } from "../files/csv.ts";
import { Observable } from "../parts/observable.ts";
import type { Client, Endpoint, QueryValues } from "./client.ts";

/** The cells of a row, without the leading `'` that keeps spreadsheets from running formulas. */
export type Cells = readonly string[];

export interface Grouped {
  readonly state: "idle" | "reading" | "whole" | "cancelled" | "failed";
  readonly counts: ReadonlyMap<string, number>;
  readonly failure?: unknown;
}

/** The largest number of rows in memory per group. Further rows are only counted. */
const KEPT_ROWS = 10_000;
const IDLE: Grouped = { state: "idle", counts: new Map() };

/** Reads a CSV file, and groups and counts its rows while they arrive. Cells must not contain line ends. */
export class GroupedRows {
  readonly read = new Observable(IDLE);
  readonly #client: Client;
  readonly #endpoint: Endpoint;
  readonly #first: string;
  #rows = new Map<string, Cells[]>();
  #stop = new AbortController();

  /** `first` is the name of the first column, by which the line of column names is recognized. */
  constructor(client: Client, endpoint: Endpoint, first: string) {
    this.#client = client;
    this.#endpoint = endpoint;
    this.#first = first;
    client.reloads.subscribe(() => this.#end(IDLE));
  }

  rows(group: string): readonly Cells[] {
    return this.#rows.get(group) ?? [];
  }

  /** Requests the file, and drops the rows of an earlier one. */
  async start(query: QueryValues, groupOf: (cells: Cells) => string): Promise<void> {
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
          if (kept.length < KEPT_ROWS) kept.push(cells);
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
