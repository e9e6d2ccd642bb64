/**
 * `rolebook review`: what became of a decided report. The outcomes, removals and summary come from `src/review`; this file
 * reads and writes the files.
 */
import { whole } from "../../snapshot/output.ts";
import { deciderSaid } from "../../domain/decided.ts";
import { CommandError, UsageError } from "../../domain/error.ts";
import { commandLine, fileWord } from "../../domain/text.ts";
import {
  DECISIONS,
  type DecisionKind,
  type DecidedReport,
  type SavedReport,
  alterationsOf,
  otherWords,
  readDecided,
} from "../../review/decided-report.ts";
import { FOLLOWED, OUTCOMES, type Outcome, follow } from "../../review/outcomes.ts";
import {
  PREVIEW,
  type PreviewLine,
  type RemovalPart,
  changeLines,
  removalParts,
} from "../../review/removals.ts";
import {
  OutcomeCounts,
  type Selection,
  type Summary,
  isSelected,
  summaryCsv,
  summaryOf,
  summaryPage,
} from "../../review/summary.ts";
import { UnreadableFile, textsOf } from "../../snapshot/input.ts";
import type { Revision } from "../../store/reading.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import { withExistingStore } from "../database.ts";
import type { CommandOptions } from "../command-table.ts";
import { notAccepted, oneOf, readAt } from "../options.ts";
import { type Format, RowsOutput, TemporaryFile, formatOf } from "../output.ts";
import { say } from "../terminal.ts";

/**
 * `rolebook review FILE`: the outcome of each row of a decided report, who came since, and how to carry out the
 * removals. The exit status is 1 if the report was altered.
 */
export async function reviewCommand(file: string, options: CommandOptions<"review">): Promise<void> {
  const format = formatOf(options.format);
  const wanted = selectionOf(options);
  const at = readAt(options.at);
  checkFiles(file, options);
  const { changes, summary, by = "" } = options;
  const saved = savedReport(file);
  const report = await readDecided(saved);
  using rows = new RowsOutput(format);
  using removals = new RemovalFile(format);
  const counts = new OutcomeCounts();
  await withExistingStore(options.database, async ({ store }) => {
    const { from, to, before, altered, named } = await readConsistently(
      store,
      report.organization,
      async (revision, reader) => {
        const to = store.reading(revision, reader);
        const review = await follow(to, report);
        rows.add(FOLLOWED, []);
        for await (const some of review.rows) {
          for (const row of some) counts.add(row);
          if (changes === undefined && summary === undefined) {
            rows.add(
              FOLLOWED,
              some.filter((row) => isSelected(row, wanted)),
            );
          }
        }
        if (changes !== undefined) {
          for await (const part of removalParts(to, report)) removals.add(part);
        }
        const isKept = review.from.revision === report.revision;
        const before = isKept ? store.reading(review.from, reader) : undefined;
        return { ...review, before, ...(await alterationsOf(saved, report, before)) };
      },
      at,
    );
    if (altered !== undefined) {
      say(`The report was altered beyond the decisions: ${altered}.`);
      process.exitCode = 1;
    }
    for (const sentence of named) say(sentence);
    if (report.decider !== undefined) say(deciderSaid(report.decider));
    sayWhatIsMissing(report, from);
    const others = otherWords(report.rows);
    for (const sentence of others.named) say(sentence);
    if (changes !== undefined) await removals.write(changes);
    if (summary !== undefined) {
      await writeSummary(
        summary,
        summaryOf(report, { before: before?.at, to }, counts, altered, { file, by }),
      );
    }
    if (changes === undefined && summary === undefined) await rows.print();
    const revisions = `Report of revision ${report.revision}, compared with revision ${to.revision}.`;
    say(`${revisions} ${counts.text()}${others.count}`);
  });
}

/** The report in a file, or on standard input for `-`. Reading throws a CommandError if the file cannot be read. */
function savedReport(file: string): SavedReport {
  return {
    name: file,
    isRepeatable: file !== "-",
    async *read(heard) {
      try {
        yield* textsOf(file, "a report that is saved as CSV in UTF-8", heard);
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        throw new CommandError(`The report ${file} cannot be read: ${error.message}.`, { cause: error });
      }
    },
  };
}

function selectionOf({ decision, outcome }: CommandOptions<"review">): Selection {
  return {
    decision: oneOf<DecisionKind>("--decision", decision, DECISIONS),
    outcome: oneOf<Outcome>("--outcome", outcome, OUTCOMES),
  };
}

function checkFiles(
  file: string,
  { at, decision, outcome, changes, summary, by }: CommandOptions<"review">,
): void {
  if (changes !== undefined && (at ?? decision ?? outcome) !== undefined) {
    throw new UsageError(
      "--changes is given with --at, --decision or --outcome; accepted: --changes alone, because the file contains all decisions and applies to the current revision.",
    );
  }
  if (summary !== undefined && !/\.(csv|html)$/.test(summary)) {
    throw notAccepted("--summary", summary, "a name that ends in .csv or .html");
  }
  if (summary !== undefined && file === "-") {
    throw new UsageError(
      "--summary contains the report's file name, but FILE is -; accepted: the name of the file.",
    );
  }
  if ((summary === undefined) !== (by === undefined) || by?.trim() === "") {
    throw new UsageError("--summary and --by NAME go together; accepted: both, or neither.");
  }
}

function sayWhatIsMissing({ newcomers, revision }: DecidedReport, from: Revision): void {
  if (from.revision > revision) {
    say(
      `Revision ${revision} is no longer kept: changes before revision ${from.revision} (${from.importedAt}) are listed without a time.`,
    );
    say("So the rows are compared only with the hash in the file itself.");
  }
  if (newcomers === undefined)
    say("The report covers some people or roles only, so users who came later are not listed.");
}

async function writeSummary(name: string, summary: Summary): Promise<void> {
  await whole(name, (put) => put(name.endsWith(".csv") ? summaryCsv(summary) : summaryPage(summary)));
  say(`Wrote the summary ${name}.`);
}

/**
 * Collects the change file of a review, and writes it only when it is complete: without its end record, it could not be
 * applied.
 */
export class RemovalFile {
  readonly #text = new TemporaryFile();
  readonly #lines: RowsOutput;
  readonly #counts = new Map<PreviewLine["what"], number>();
  #removals = 0;

  constructor(format: Format) {
    this.#lines = new RowsOutput(format);
  }

  add({ records, lines }: RemovalPart): void {
    for (const record of records) if ("removed" in record) this.#removals++;
    this.#text.write(Buffer.from(changeLines(records)));
    for (const { what } of lines) this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    this.#lines.add(PREVIEW, lines);
  }

  async write(name: string): Promise<void> {
    await whole(name, async (put) => {
      for (const piece of this.#text.read()) await put(piece);
    });
    await this.#lines.print();
    const count = (what: PreviewLine["what"], one: string, many: string) => {
      const number = this.#counts.get(what) ?? 0;
      return number === 1 ? `1 ${one}` : `${number.toLocaleString("en")} ${many}`;
    };
    const removals = this.#removals;
    const permissions = removals === 1 ? "1 permission" : `${removals.toLocaleString("en")} permissions`;
    const roles = [
      count("lost", "role is lost", "roles are lost"),
      count("lowered", "becomes lower", "become lower"),
    ];
    const others = `nobody else’s role changes; ${count("left", "row stays", "rows stay")}`;
    say(
      `${name} removes ${permissions}: ${roles.join(", ")}, ${others}. ${commandLine("rolebook", "apply", fileWord(name))} applies it.`,
    );
  }

  [Symbol.dispose](): void {
    this.#text[Symbol.dispose]();
    this.#lines[Symbol.dispose]();
  }
}
