import type { Command } from "commander";
import { add, lazily } from "./command.ts";

/** Commands for past revisions. */
export function addPast(rolebook: Command): void {
  rolebook.commandsGroup("The past:");
  add(rolebook, "revisions")
    .description("list the readable revisions of an organization: number, time, command, counts, note, input")
    .option("--organization <id>", "the organization; required if there are several")
    .option("--format <format>", "table or ndjson", "table")
    .action(lazily(async () => (await import("../commands/database/revisions.ts")).revisionsCommand));
  add(rolebook, "history [duration]")
    .description(
      "print how long revisions are kept after they are replaced; with a duration, such as 400d or forever, set it",
    )
    .option("--yes", "allow a shorter duration, which deletes revisions for good")
    .action(lazily(async () => (await import("../commands/database/history.ts")).historyCommand));
}
