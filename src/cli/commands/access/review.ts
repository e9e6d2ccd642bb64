import { idOf, kindOf } from "../../../domain/content.ts";
import { csvLines } from "../../../operations/csv.ts";
import { became, type Became } from "../../../review/decided/became.ts";
import { readConsistently } from "../../../store/revisions/consistent-read.ts";
import { say, withExistingStore, write } from "../../context.ts";
import { readDecided } from "./decided-report.ts";
import { type Format, formatOf } from "../../output/list-output.ts";
import { table } from "../../output/table.ts";

export interface ReviewArguments {
  readonly format?: string;
  readonly database?: string;
}

const COLUMNS = ["outcome", "content", "user", "decision", "was", "now", "reason", "comment"] as const;

/** `rolebook review FILE`: what became of each row of a decided report, and who came since. */
export async function reviewCommand(file: string, options: ReviewArguments): Promise<void> {
  const format = formatOf(options.format);
  const report = readDecided(file);
  await withExistingStore(options.database, async ({ store }) => {
    const found: Became[] = [];
    const now = await readConsistently(store, report.organization, async (at, reader) => {
      for await (const each of became(store.reading(at, reader), report.rows, report.newcomers))
        found.push(each);
      return at.revision;
    });
    if (report.altered !== undefined) say(`The report was altered beyond the decisions: ${report.altered}.`);
    await write(textOf(format, found));
    say(`Of revision ${report.revision}, looked at in revision ${now}. ${summaryOf(found)}`);
    if (report.newcomers === "nobody")
      say("The report covers some people or roles only, so nobody is told as having come.");
  });
}

function textOf(format: Format, found: readonly Became[]): string {
  switch (format) {
    case "table":
      return found.length === 0 ? "" : `${table(COLUMNS, found.map(cellsOf))}\n`;
    case "csv":
      return csvLines([[...COLUMNS], ...found.map(cellsOf)]);
    case "ndjson":
      return found.map((each) => `${JSON.stringify({ ...each, content: contentOf(each) })}\n`).join("");
  }
}

function contentOf({ content }: Became): { readonly kind: string; readonly id: string } {
  return { kind: kindOf(content), id: idOf(content) };
}

function cellsOf({ outcome, content, user, decision, was, now, reason, comment }: Became): string[] {
  return [outcome, content, user, decision, was, now, reason, comment];
}

/** How many rows with each decision came to what: "remove: 2 removed, 1 still there". */
function summaryOf(found: readonly Became[]): string {
  const decided = Map.groupBy(found, ({ outcome, decision }) =>
    outcome === "came" ? "not looked at" : decision,
  );
  const parts = [...decided].map(([decision, rows]) => {
    const outcomes = [...Map.groupBy(rows, ({ outcome }) => outcome)];
    const counts = outcomes.map(([outcome, some]) => `${some.length.toLocaleString("en")} ${outcome}`);
    return `${decision === "" ? "undecided" : decision}: ${counts.join(", ")}`;
  });
  return `${parts.join("; ")}.`;
}
