/** Applies change files of one stream, each at its end record (docs/changes.md). */
import { createHash } from "node:crypto";
import { CommandError, NotVisibleError, RefusedError } from "../../domain/error.ts";
import { RecentChanges } from "../../store/writing/resolve/recent.ts";
import type { Examination } from "../../store/writing/organization-change.ts";
import { Models } from "../../store/models.ts";
import type { Engine } from "../../store/engine/engine.ts";
import { type Input, UnreadableFile, linesOf } from "../input.ts";
import { inputName } from "../read.ts";
import { applyChange, type ApplyOptions, type ApplyResult, RefusedChange } from "./apply.ts";
import { ChangeReading } from "./read.ts";

/**
 * The guard counts the batches of this period together, because many small ones can be a large change. In milliseconds.
 */
const WINDOW = 60 * 60_000;

export interface BatchAnswer {
  readonly outcome: "changed" | "unchanged" | "refused" | "failed" | "committed";
  /** Absent if the batch failed. */
  readonly result?: ApplyResult;
  /** Why the batch was refused or failed, or is not visible yet. */
  readonly message?: string;
  /** The time since the end record arrived. */
  readonly milliseconds: number;
}

/**
 * Applies each batch when its end record arrives. `answer` gets the outcome of every batch, also of an invalid one,
 * before the next is read. `examination` makes one for each batch. Returns how many lines follow the last end record;
 * they are dropped. Throws if the stream or the database cannot be read any more.
 */
export async function follow(
  engine: Engine,
  input: Input,
  options: Omit<ApplyOptions, "recent" | "models" | "examination">,
  answer: (batch: BatchAnswer) => Promise<void>,
  examination: () => Examination | undefined = () => undefined,
): Promise<number> {
  const recent = new RecentChanges(WINDOW);
  const models = new Models();
  let batch = new Batch(inputName(input));
  try {
    for await (const lines of linesOf(input, () => {})) {
      for (const [line, text] of lines) {
        batch.line(text, line);
        if (!batch.ended) continue;
        await answer(await batch.apply(engine, { ...options, recent, models, examination: examination() }));
        batch = new Batch(inputName(input));
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const place = error.line === undefined ? inputName(input) : `${inputName(input)}:${error.line}`;
    throw new CommandError(`${place}: ${error.message}`, { cause: error });
  }
  return batch.lines;
}

class Batch {
  readonly #reading: ChangeReading;
  readonly #hash = createHash("sha256");
  /** The number of lines that are not blank. */
  lines = 0;

  constructor(name: string) {
    this.#reading = new ChangeReading(name);
  }

  line(text: string | undefined, line: number): void {
    if (text?.trim() === "") return;
    this.lines++;
    this.#hash.update(`${text}\n`);
    this.#reading.line(text, line);
  }

  get ended(): boolean {
    return this.#reading.ended;
  }

  async apply(engine: Engine, options: ApplyOptions): Promise<BatchAnswer> {
    const since = performance.now();
    const milliseconds = () => Math.round((performance.now() - since) * 10) / 10;
    try {
      const change = this.#reading.done(this.#hash.digest("hex"));
      const result = await applyChange(engine, change, options);
      return { outcome: result.changed ? "changed" : "unchanged", result, milliseconds: milliseconds() };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const { message } = error;
      const outcome =
        error instanceof RefusedError ? "refused" : error instanceof NotVisibleError ? "committed" : "failed";
      const result = error instanceof RefusedChange ? { result: error.result } : {};
      return { outcome, ...result, message, milliseconds: milliseconds() };
    }
  }
}
