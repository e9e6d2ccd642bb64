import type { Command } from "commander";
import { AT } from "../options.ts";
import { add, lazily } from "./command.ts";

/** Commands that report effective roles and their reasons. */
export function addAccess(rolebook: Command): void {
  rolebook.commandsGroup("Who has access, and why:");
  add(rolebook, "why [user] [content]")
    .description("explain a role on space/ID, collection/ID or site/ID, step by step")
    .option(
      "--without <source>",
      "show the effect of removing team/ID, team/ID@CONTENT, user/ID@CONTENT or default@CONTENT; if USER is omitted, on everybody",
    )
    .option("--organization <id>", "the organization; required if there are several")
    .option(...AT)
    .action(lazily(async () => (await import("../commands/access/why.ts")).whyCommand));
  add(rolebook, "report")
    .description("write who has which role where, and why, as one CSV for a review")
    .option("--organization <id>", "the organization; required if there are several")
    .option("--space <id...>", "only these spaces")
    .option("--collection <id...>", "only these collections and everything in them")
    .option("--site <id...>", "only the spaces of these sites")
    .option("--user <id...>", "only what these users can access")
    .option("--role <role>", "only exactly this effective role")
    .option("--guests", "only guests")
    .option(...AT)
    .option("--no-head", "omit the lines above the column names, for programs")
    .action(lazily(async () => (await import("../commands/access/report.ts")).reportCommand));
  add(rolebook, "diff")
    .description("list whose effective role differs between two revisions, where, and why")
    .option("--organization <id>", "the organization; required if there are several")
    .requiredOption(
      "--from <when>",
      "the first revision: its number, the end of a day (UTC) or a date and time",
    )
    .option("--to <when>", "the second revision, given in the same way; by default the current one")
    .option("--space <id...>", "one row per user and content: only on these spaces")
    .option(
      "--collection <id...>",
      "one row per user and content: only on these collections and everything in them",
    )
    .option("--site <id...>", "one row per user and content: only on the spaces of these sites")
    .option("--user <id...>", "one row per user and content: only for these users")
    .option("--pairs", "one row per user and content: all of them")
    .option("--role <role>", "only differences from or to exactly this role")
    .option("--guests", "only guests")
    .option("--gained", "only gained roles; can be combined with the next three options")
    .option("--lost", "only lost roles")
    .option("--raised", "only raised roles")
    .option("--lowered", "only lowered roles")
    .option("--records", "print the changed records as a change file for rolebook apply")
    .option("--base", "with --records: make a file that applies only to the revision of --from")
    .option("--format <format>", "table, csv or ndjson")
    .option("--no-head", "omit the lines above the column names of a CSV, for programs")
    .action(lazily(async () => (await import("../diff/diff.ts")).diffCommand));
}
