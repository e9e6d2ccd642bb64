/** Change files one after the other on one stream, each with its end record (contract, section 11). */
import { createHash } from "node:crypto";
import { CommandError, RefusedError } from "../../domain/error.ts";
import { RecentChanges } from "../../store/writing/resolve/guard/recent.ts";
import type { Examination } from "../../store/writing/generation/proposal.ts";
import type { Engine } from "../../store/engine/engine.ts";
import { type Input, linesOf } from "../reading/lines.ts";
import { nameOf } from "../reading/read.ts";
import { applyChange, type ApplyOptions, type ApplyResult, RefusedChange } from "./apply.ts";
import { ChangeReading } from "./read.ts";

/** The guard judges all batches of this period together, in milliseconds, because small batches add up. */
const WINDOW = 60 * 60_000;

/** The answer to a batch. */
export interface BatchAnswer {
  readonly outcome: "changed" | "unchanged" | "refused" | "failed";
  /** For a batch that was applied. */
  readonly result?: ApplyResult;
  /** Why it was refused or failed. */
  readonly message?: string;
  /** The time since its end record arrived. */
  readonly milliseconds: number;
}

/**
 * Applies each batch as soon as its end record arrives, and answers it before it reads the next one; an invalid batch
 * is answered too. Lines after the last end record are dropped; returns how many there are. Throws if the stream or
 * the database can no longer be read. `examination` gives each batch an examination of its own.
 */
export async function follow(
  engine: Engine,
  input: Input,
  options: Omit<ApplyOptions, "recent" | "examination">,
  answer: (batch: BatchAnswer) => Promise<void>,
  examination: () => Examination | undefined = () => undefined,
): Promise<number> {
  const recent = new RecentChanges(WINDOW);
  let batch = new Batch(nameOf(input));
  for await (const { first, texts } of linesOf(input, () => {})) {
    for (const [offset, text] of texts.entries()) {
      batch.line(text, first + offset);
      if (!batch.ended) continue;
      await answer(await batch.apply(engine, { ...options, recent, examination: examination() }));
      batch = new Batch(nameOf(input));
    }
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
      const outcome = error instanceof RefusedError ? "refused" : "failed";
      const result = error instanceof RefusedChange ? { result: error.result } : {};
      return { outcome, ...result, message, milliseconds: milliseconds() };
    }
  }
}
