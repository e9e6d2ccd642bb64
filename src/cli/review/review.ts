import { writeFileSync } from "node:fs";
import { CommandError, UsageError } from "../../domain/error.ts";
import { type Outcome, OUTCOMES } from "../../review/decided/outcomes.ts";
import { isSelected, type Selection } from "../../review/decided/figures.ts";
import { follow, type Followed, type Review } from "../../review/decided/followed.ts";
import { type Decided, DECISIONS } from "../../review/decided/row.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import { say, withExistingStore, write } from "../context.ts";
import { readAt } from "../options.ts";
import { type Format, formatOf } from "../output/list-output.ts";
import { type DecidedReport, readDecided } from "./decided-report.ts";
import { previewText, removalFile, type RemovalFile } from "./preview.ts";
import { rowsText } from "./rows.ts";
import { summaryCsv, summaryOf } from "./summary.ts";
import { summaryPage } from "./summary-page.ts";

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

/** `rolebook review FILE`: what became of each row of a decided report, who came since, and how to carry it out. */
export async function reviewCommand(file: string, options: ReviewArguments): Promise<void> {
  const format = formatOf(options.format);
  const wanted = selectionOf(options);
  const at = readAt(options.at);
  checkFiles(file, options);
  const report = readDecided(file);
  await withExistingStore(options.database, async ({ store }) => {
    const { review, removals } = await readConsistently(
      store,
      report.organization,
      async (revision, reader) => {
        const to = store.reading(revision, reader);
        const review = await follow(reader, to, (other) => store.reading(other, reader), report);
        const removals = options.changes === undefined ? undefined : await removalFile(to, review.rows);
        return { review, removals };
      },
      at,
    );
    sayWhatIsMissing(report, review);
    const { changes, summary, by = "" } = options;
    if (changes !== undefined && removals !== undefined) await writeRemovals(changes, removals, format);
    if (summary !== undefined) writeSummary(summary, file, by, report, review);
    if (changes === undefined && summary === undefined) {
      const rows = review.rows.filter((row) => isSelected(row, wanted));
      await write(rowsText(format, rows));
    }
    say(
      `Of revision ${report.revision}, looked at in revision ${review.to.revision}. ${outcomesText(review.rows)}`,
    );
  });
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
      "--changes stands beside --at, --decision or --outcome; accepted: alone, as the file is made of all decisions for what is now.",
    );
  }
  if (summary !== undefined && !/\.(csv|html)$/.test(summary)) {
    throw new UsageError(
      `--summary is ${JSON.stringify(summary)}; accepted: a name that ends in .csv or .html.`,
    );
  }
  if (summary !== undefined && file === "-") {
    throw new UsageError(
      "--summary names the file that was decided upon, and FILE is -; accepted: its name.",
    );
  }
  if ((summary === undefined) !== (by === undefined) || by?.trim() === "") {
    throw new UsageError("--summary and --by NAME go together; accepted: both, or neither.");
  }
}

function sayWhatIsMissing({ altered, newcomers, revision }: DecidedReport, { from }: Review): void {
  if (altered !== undefined) say(`The report was altered beyond the decisions: ${altered}.`);
  if (from.revision > revision) {
    say(
      `Revision ${revision} is no longer kept: what changed before revision ${from.revision} (${from.importedAt}) is told without when.`,
    );
  }
  if (newcomers === "nobody")
    say("The report covers some people or roles only, so nobody is told as having come.");
}

async function writeRemovals(
  name: string,
  { text, removals, lines }: RemovalFile,
  format: Format,
): Promise<void> {
  writeText(name, text);
  await write(previewText(format, lines));
  const count = (wanted: string, one: string, many: string) => {
    const number = lines.filter(({ what }) => what === wanted).length;
    return number === 1 ? `1 ${one}` : `${number.toLocaleString("en")} ${many}`;
  };
  const permissions = removals === 1 ? "1 permission" : `${removals.toLocaleString("en")} permissions`;
  const roles = [count("lost", "role goes", "roles go"), count("lowered", "falls", "fall")];
  const others = `nobody else loses, falls, rises or gains; ${count("left", "row stays", "rows stay")}`;
  say(`${name} removes ${permissions}: ${roles.join(", ")}, ${others}. rolebook apply ${name} applies it.`);
}

function writeSummary(name: string, file: string, by: string, report: DecidedReport, review: Review): void {
  const summary = summaryOf(report, review, { file, by, time: new Date().toISOString() });
  writeText(name, name.endsWith(".csv") ? summaryCsv(summary) : summaryPage(summary));
  say(`${name} is the summary.`);
}

function writeText(name: string, text: string): void {
  try {
    writeFileSync(name, text);
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new CommandError(`${name} cannot be written: ${why}.`);
  }
}

/** How many rows with each decision came to what: "remove: 2 removed, 1 still there". */
function outcomesText(rows: readonly Followed[]): string {
  const decided = Map.groupBy(rows, ({ outcome, decision }) =>
    outcome === "came" ? "not looked at" : decision.trim(),
  );
  const parts = [...decided].map(([decision, rows]) => {
    const outcomes = [...Map.groupBy(rows, ({ outcome }) => outcome)];
    const counts = outcomes.map(([outcome, some]) => `${some.length.toLocaleString("en")} ${outcome}`);
    return `${decision === "" ? "undecided" : decision}: ${counts.join(", ")}`;
  });
  return `${parts.join("; ")}.`;
}
