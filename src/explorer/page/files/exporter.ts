/** Writes a list as the server sends it to a file, counts its rows meanwhile, and says in words how that ended. */
import { Observable } from "../parts/observable.ts";
import { type Client, Outdated, type QueryValues, Refusal } from "../session/client.ts";
import { count, figure } from "../words/numbers.ts";
import { type Left, openSink } from "./save.ts";

export interface Job {
  readonly file: string;
  readonly state: "writing" | "saved" | "cancelled" | "stopped" | "unwritten" | "refused" | "outdated";
  readonly rows: number;
  /** The number of rows of the whole list, if known. */
  readonly total?: number;
  /** The server's message, if `refused`. */
  readonly message?: string;
  readonly left?: Left;
}

/** The least time between two updates of the progress, in ms. */
const PROGRESS_INTERVAL = 100;

/** Writes one list at a time to a CSV file. */
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

  /** Asks for a file, and writes a list to it. Does nothing while another download runs. */
  async start(query: QueryValues, file: string, total?: number): Promise<void> {
    if (this.job.value?.state === "writing") return;
    // Must come first: browsers show the file picker only directly after a click.
    const sink = await openSink(file);
    if (!sink) return;
    this.#last = [query, file, total];
    const stop = new AbortController();
    this.#stop = stop;
    const counter = new RowCounter();
    const now = (state: Job["state"], message?: string, left?: Left) =>
      this.job.set({
        file,
        state,
        rows: counter.rows,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
        ...(left && { left }),
      });
    let full = false;
    const put = <Result>(work: Promise<Result>) =>
      work.catch((error: unknown) => {
        full = true;
        throw error;
      });
    now("writing");
    this.#announcement.set(`Writing ${file}.`);
    try {
      const response = await this.#client.stream(query, stop.signal);
      const reader = response.body?.getReader();
      let drawn = 0;
      let quarter = 0;
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        await put(sink.write(part.value));
        counter.add(part.value);
        if (performance.now() - drawn < PROGRESS_INTERVAL) continue;
        drawn = performance.now();
        now("writing");
        const quarters = total ? Math.floor((4 * counter.rows) / total) : 0;
        if (quarters > quarter && quarters < 4) this.#announcement.set(`${25 * quarters} % written.`);
        quarter = quarters;
      }
      stop.signal.throwIfAborted();
      await put(sink.close());
      now("saved");
    } catch (error) {
      const left = await sink.abandon().catch((): Left => "empty");
      if (stop.signal.aborted) now("cancelled", undefined, left);
      else if (error instanceof Outdated) now("outdated", undefined, left);
      else if (error instanceof Refusal) now("refused", error.message, left);
      else now(full ? "unwritten" : "stopped", undefined, left);
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

/** The result of a download, and what is left on the disk, in words. */
export function outcome({ file, state, rows, message, left }: Job): string {
  if (state === "saved") return `Saved ${count(rows, "row")}.`;
  const there =
    left === "before"
      ? `${file} is as it was before.`
      : left === "empty"
        ? `An empty ${file} is left; it could not be deleted.`
        : "Nothing was saved.";
  if (state === "cancelled") return `Cancelled. ${there}`;
  if (state === "refused") return `${there} ${message ?? ""}`;
  if (state === "outdated") return `The directory was imported again. ${there}`;
  const why = state === "unwritten" ? "the file could not be written" : "the server went away";
  return `Stopped after ${count(rows, "row")}: ${why}. ${there}`;
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
