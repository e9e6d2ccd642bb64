import type { Command } from "commander";
import { AT } from "../options.ts";
import { add, lazily } from "./command.ts";

/** Commands for access reviews. */
export function addReviews(rolebook: Command): void {
  rolebook.commandsGroup("Reviews:");
  add(rolebook, "check <rules>")
    .description(
      "list which rules of a file are broken, where and by whom; exit status 1 if one is, 2 if one cannot be checked",
    )
    .option("--organization <id>", "the organization; required if there are several")
    .option("--format <format>", "table, csv or ndjson")
    .option("--limit <number>", "the number of breaches listed per rule; all are counted", "100")
    .option("--record", "keep the result for metrics and the explorer")
    .option(...AT)
    .action(lazily(async () => (await import("../commands/access/check.ts")).checkCommand));
  add(rolebook, "review <file>")
    .description("compare a decided report with today: the outcome of each row, and newcomers")
    .option("--format <format>", "table, csv or ndjson")
    .option(...AT)
    .option("--decision <word>", "only rows with this decision: keep, remove, ask, other or open")
    .option("--outcome <word>", "only rows with this outcome: removed, changed, still there or came")
    .option(
      "--changes <out>",
      "write the change file that carries out removals, and print what it would change",
    )
    .option("--summary <out>", "write the signed-off summary: a page to print (.html) or a sheet (.csv)")
    .option("--by <name>", "with --summary: who signs off the decisions")
    .action(lazily(async () => (await import("../review/review.ts")).reviewCommand));
  add(rolebook, "tidy")
    .description("list redundant permissions, empty teams, and whatever else to tidy up")
    .option("--organization <id>", "the organization; required if there are several")
    .option(
      "--format <format>",
      "table, csv, ndjson, or changes: a change file that removes redundant permissions",
    )
    .option(...AT)
    .action(lazily(async () => (await import("../commands/access/tidy.ts")).tidyCommand));
}
