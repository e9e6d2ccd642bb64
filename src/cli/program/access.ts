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
    .option("--space <id>", "one space only")
    .option("--collection <id>", "only one collection and everything in it")
    .option("--site <id>", "the spaces of one site only")
    .option("--user <id>", "everything that one user can access")
    .option("--role <role>", "exactly this effective role only")
    .option("--guests", "guests only")
    .option(...AT)
    .option("--no-head", "omit the head: begin with the column names, for programs")
    .action(lazily(async () => (await import("../commands/access/report.ts")).reportCommand));
  add(rolebook, "diff")
    .description("list whose effective role differs between two revisions, where, and why")
    .option("--organization <id>", "the organization; required if there are several")
    .requiredOption("--from <when>", "a revision's number, the end of a day (UTC) or a date and time")
    .option("--to <when>", "the same for the later revision; by default the current one")
    .option("--space <id>", "user by user: one space only")
    .option("--collection <id>", "user by user: only one collection and everything in it")
    .option("--site <id>", "user by user: the spaces of one site only")
    .option("--user <id>", "user by user: one user only")
    .option("--pairs", "user by user: every user and content with a difference")
    .option("--role <role>", "differences from or to exactly this role only")
    .option("--guests", "guests only")
    .option("--gained", "only where a role was gained; this and the next three may be combined")
    .option("--lost", "only where a role was lost")
    .option("--raised", "only where a role was raised")
    .option("--lowered", "only where a role was lowered")
    .option("--records", "the changed records as a change file, for rolebook apply")
    .option("--base", "with --records: the file applies only to the revision of --from")
    .option("--format <format>", "table, csv or ndjson")
    .option("--no-head", "omit the head: begin a CSV with the column names, for programs")
    .action(lazily(async () => (await import("../diff/diff.ts")).diffCommand));
}
