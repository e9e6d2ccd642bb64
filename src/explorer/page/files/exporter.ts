/** Reads a list as the server sends it, counts its rows meanwhile, saves it whole, and says in words how that ended. */
import { Observable } from "../parts/observable.ts";
import { type Client, Outdated, type QueryValues, Refusal } from "../session/client.ts";
import { count, figure } from "../words/numbers.ts";
import { save } from "./save.ts";

export interface Job {
  readonly file: string;
  readonly state: "writing" | "saved" | "cancelled" | "stopped" | "refused" | "outdated";
  readonly rows: number;
  /** The number of rows of the whole list, if known. */
  readonly total: number | undefined;
  /** The server's message, if `refused`. */
  readonly message?: string;
}

/** The least time between two updates of the progress, in ms. */
const PROGRESS_INTERVAL = 100;

/** Saves one list at a time as a CSV file, once all of it has arrived: a file is never incomplete. */
export class Exporter {
  readonly job = new Observable<Job | undefined>(undefined);
  readonly #client: Client;
  readonly #announcement: Observable<string>;
  #stop = new AbortController();
  #last: [QueryValues, string, number | undefined] | undefined;

  constructor(client: Client, announcement: Observable<string>) {
    this.#client = client;
    this.#announcement = announcement;
  }

  /** Does nothing while another download runs. */
  async start(query: QueryValues, file: string, total?: number): Promise<void> {
    if (this.job.value?.state === "writing") return;
    this.#last = [query, file, total];
    const { signal } = (this.#stop = new AbortController());
    const counter = new RowCounter();
    const now = (state: Job["state"], message = "") =>
      this.job.set({ file, state, rows: counter.rows, total, message });
    let drawn = 0;
    let quarter = 0;
    const transform = (bytes: Uint8Array, to: TransformStreamDefaultController<Uint8Array>) => {
      to.enqueue(bytes);
      counter.add(bytes);
      if (performance.now() - drawn < PROGRESS_INTERVAL) return;
      drawn = performance.now();
      now("writing");
      const quarters = total ? Math.floor((4 * counter.rows) / total) : 0;
      if (quarters > quarter && quarters < 4) this.#announcement.set(`${25 * quarters} % written.`);
      quarter = quarters;
    };
    now("writing");
    this.#announcement.set(`Writing ${file}.`);
    try {
      const { body } = await this.#client.stream(query, signal);
      // The browser keeps a large blob on the disk.
      const whole = new Response(body?.pipeThrough(new TransformStream({ transform })));
      save(file, await whole.blob());
      now("saved");
    } catch (error) {
      if (signal.aborted) now("cancelled");
      else if (error instanceof Outdated) now("outdated");
      else if (error instanceof Refusal) now("refused", error.message);
      else now("stopped");
    }
    if (this.job.value) this.#announcement.set(outcome(this.job.value));
  }

  again(): void {
    if (this.#last) void this.start(...this.#last);
  }

  cancel(): void {
    this.#stop.abort();
  }

  /** Clears the result of the last download. */
  clear(): void {
    if (this.job.value?.state !== "writing") this.job.set(undefined);
  }
}

/** The result of a download in words. */
export function outcome({ state, rows, message }: Job): string {
  const none = "Nothing was saved.";
  if (state === "saved") return `Saved ${count(rows, "row")}.`;
  if (state === "cancelled") return `Cancelled. ${none}`;
  if (state === "refused") return `${none} ${message}`;
  if (state === "outdated") return `The directory was imported again. ${none}`;
  return `Stopped after ${count(rows, "row")}: the server went away. ${none}`;
}

/** The progress in words, such as "520 of 1,275 rows". */
export function progress({ rows, total }: Job): string {
  return total === undefined ? count(rows, "row") : `${figure(rows)} of ${count(total, "row")}`;
}

const QUOTE = 0x22;
const NEWLINE = 0x0a;
/** The number of lines before the rows: five header lines and the column names. */
const LINES_BEFORE_ROWS = 6;

class RowCounter {
  #quoted = false;
  #lines = 0;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      // A quote within a quoted cell is doubled, which toggles twice, so it needs no special case.
      if (byte === QUOTE) this.#quoted = !this.#quoted;
      else if (byte === NEWLINE && !this.#quoted) this.#lines++;
    }
  }

  get rows(): number {
    return Math.max(0, this.#lines - LINES_BEFORE_ROWS);
  }
}
