import { Observable } from "../parts/observable.ts";
import { type Client, Outdated, type Query, Refusal } from "../session/client.ts";
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

export interface Exporter {
  readonly job: Observable<Job | undefined>;
  /** Asks for a file, and writes a list to it. Does nothing while another download runs. */
  start(query: Query, file: string, total?: number): Promise<void>;
  again(): void;
  cancel(): void;
  /** Clears the result of the last download. */
  clear(): void;
}

/** The least time between two updates of the progress, in ms. */
const DRAWN = 100;

export function createExporter(client: Client, announcement: Observable<string>): Exporter {
  const job = new Observable<Job | undefined>(undefined);
  let stop = new AbortController();
  let last: [Query, string, number | undefined] | undefined;

  async function start(query: Query, file: string, total?: number): Promise<void> {
    if (job.value?.state === "writing") return;
    // Must come first: browsers show the file picker only directly after a click.
    const sink = await openSink(file);
    if (!sink) return;
    last = [query, file, total];
    stop = new AbortController();
    const counter = new RowCounter();
    const now = (state: Job["state"], message?: string, left?: Left) =>
      job.set({
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
    announcement.set(`Writing ${file}.`);
    try {
      const response = await client.stream(query, stop.signal);
      const reader = response.body?.getReader();
      let drawn = 0;
      let quarter = 0;
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        await put(sink.write(part.value));
        counter.add(part.value);
        if (performance.now() - drawn < DRAWN) continue;
        drawn = performance.now();
        now("writing");
        const quarters = total ? Math.floor((4 * counter.rows) / total) : 0;
        if (quarters > quarter && quarters < 4) announcement.set(`${25 * quarters} % written.`);
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
    if (job.value) announcement.set(outcome(job.value));
  }

  return {
    job,
    start,
    again() {
      if (last) void start(...last);
    },
    cancel: () => stop.abort(),
    clear() {
      if (job.value?.state !== "writing") job.set(undefined);
    },
  };
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
const HEAD = 6;

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
    return Math.max(0, this.#lines - HEAD);
  }
}
