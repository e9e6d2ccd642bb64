import { UsageError } from "../../domain/error.ts";
import { type Outcome, OUTCOMES } from "../../review/decided/outcomes.ts";
import { isSelected, type Selection } from "../../review/decided/figures.ts";
import { follow } from "../../review/decided/followed.ts";
import { type Decided, DECISIONS } from "../../review/decided/row.ts";
import type { Revision } from "../../store/reading.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import { say, withExistingStore } from "../context.ts";
import { readAt } from "../options.ts";
import { formatOf } from "../output/list-output.ts";
import { RowsOutput } from "../output/rows-output.ts";
import { alterationsOf } from "./alterations.ts";
import { type DecidedReport, readDecided } from "./decided-report.ts";
import { removalParts } from "./preview.ts";
import { RemovalFile } from "./removal-file.ts";
import { FOLLOWED } from "./rows.ts";
import { type Summary, summaryCsv, summaryOf } from "./summary.ts";
import { summaryPage } from "./summary-page.ts";
import { otherWords } from "./other-words.ts";
import { OutcomeCounts } from "./outcome-counts.ts";
import { writeNamed } from "./write-named.ts";

export interface ReviewArguments {
  readonly at?: string;
  readonly decision?: string;
  readonly outcome?: string;
  readonly changes?: string;
  readonly summary?: string;
  readonly by?: string;
  readonly format?: string;
  readonly database?: string;
}

/**
 * `rolebook review FILE`: the outcome of each row of a decided report, who came since, and how to carry out the
 * removals. The exit status is 1 if the report was altered.
 */
export async function reviewCommand(file: string, options: ReviewArguments): Promise<void> {
  const format = formatOf(options.format);
  const wanted = selectionOf(options);
  const at = readAt(options.at);
  checkFiles(file, options);
  const { changes, summary, by = "" } = options;
  const report = await readDecided(file);
  const rows = new RowsOutput(format);
  const removals = new RemovalFile(format);
  const counts = new OutcomeCounts();
  try {
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
            for await (const part of removalParts(to, report.rows)) removals.add(part);
          }
          const isKept = review.from.revision === report.revision;
          const before = isKept ? store.reading(review.from, reader) : undefined;
          return { ...review, before, ...(await alterationsOf(file, report, before)) };
        },
        at,
      );
      if (altered !== undefined) {
        say(`The report was altered beyond the decisions: ${altered}.`);
        process.exitCode = 1;
      }
      for (const sentence of named) say(sentence);
      sayWhatIsMissing(report, from);
      const others = otherWords(report.rows);
      for (const sentence of others.named) say(sentence);
      if (changes !== undefined) await removals.write(changes);
      if (summary !== undefined) {
        writeSummary(
          summary,
          summaryOf(
            { ...report, imported: before?.at.importedAt ?? report.imported },
            to,
            counts,
            altered ?? (before === undefined ? unproved(report) : "no"),
            { file, by, time: new Date().toISOString() },
          ),
        );
      }
      if (changes === undefined && summary === undefined) await rows.print();
      const revisions = `Report of revision ${report.revision}, compared with revision ${to.revision}.`;
      say(`${revisions} ${counts.text()}${others.count}`);
    });
  } finally {
    rows.close();
    removals.close();
  }
}

function selectionOf({ decision, outcome }: ReviewArguments): Selection {
  return {
    decision: oneOf<Decided>("--decision", decision, DECISIONS),
    outcome: oneOf<Outcome>("--outcome", outcome, OUTCOMES),
  };
}

function oneOf<Value extends string>(
  option: string,
  value: string | undefined,
  accepted: readonly Value[],
): Value | undefined {
  const found = accepted.find((each) => each === value);
  if (value === undefined || found !== undefined) return found;
  throw new UsageError(`${option} is ${JSON.stringify(value)}; accepted: ${accepted.join(", ")}.`);
}

function checkFiles(file: string, { at, decision, outcome, changes, summary, by }: ReviewArguments): void {
  if (changes !== undefined && (at ?? decision ?? outcome) !== undefined) {
    throw new UsageError(
      "--changes is given with --at, --decision or --outcome; accepted: --changes alone, because the file contains all decisions and applies to the current revision.",
    );
  }
  if (summary !== undefined && !/\.(csv|html)$/.test(summary)) {
    throw new UsageError(
      `--summary is ${JSON.stringify(summary)}; accepted: a name that ends in .csv or .html.`,
    );
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

function unproved({ revision }: DecidedReport): string {
  return `no, by the hash in the file itself; revision ${revision} is no longer kept`;
}

function writeSummary(name: string, summary: Summary): void {
  writeNamed(name, [name.endsWith(".csv") ? summaryCsv(summary) : summaryPage(summary)]);
  say(`Wrote the summary ${name}.`);
}
