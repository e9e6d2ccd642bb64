import type { Command } from "commander";
import { AT } from "../options.ts";
import { add, addWriting, lazily } from "./command.ts";

/** Commands that read and write files. */
export async function addData(rolebook: Command, words: readonly string[]): Promise<void> {
  rolebook.commandsGroup("Data in and out:");
  addWriting(rolebook, "import <file...>")
    .description("make each organization in the files exactly what they say; - is standard input")
    .option("--allow-empty", "allow a new organization without members")
    .option("--rules <file>", "report which rules in a file the import newly breaks")
    .option("--enforce", "with --rules, refuse an import that newly breaks one")
    .option("--base <revision>", "refuse if the organization has changed since this revision")
    .option("--note <text>", "a note that rolebook revisions shows")
    .option("--wait <time>", "how long to wait for another import or change, such as 30s or 1h", "10m")
    .option("--json", "print a line of JSON at the end that says whether anything was changed")
    .action(lazily(async () => (await import("../commands/data/import.ts")).importCommand));
  addWriting(rolebook, "apply <file...>")
    .description("apply the changes in each file, one revision per file; - is standard input")
    .option("--note <text>", "a note that rolebook revisions shows")
    .option("--wait <time>", "how long to wait for another import or change, such as 30s or 1h", "10m")
    .option("--follow", "keep reading: apply each batch at its end record, and print a line of JSON for it")
    .option("--rules <file>", "report which rules in a file the change newly breaks")
    .option("--enforce", "with --rules, refuse a change that newly breaks one")
    .option("--json", "print a line of JSON for each file that says whether anything was changed")
    .action(lazily(async () => (await import("../commands/data/apply.ts")).applyCommand));
  const convert = rolebook.command("convert").description("make a snapshot file from other files");
  if (words.includes("convert")) (await import("../commands/data/convert.ts")).addConversions(convert);
  const pull = rolebook.command("pull").description("make a snapshot file from another system");
  if (words.includes("pull")) (await import("../commands/data/pull.ts")).addPulls(pull);
  add(rolebook, "export")
    .description("write an organization as a snapshot file to standard output")
    .requiredOption("--organization <id>", "the organization")
    .option(...AT)
    .action(lazily(async () => (await import("../commands/data/export.ts")).exportCommand));
  rolebook
    .command("schema")
    .description("print the JSON Schema of a line of the snapshot file")
    .option("--changes", "print that of a line of the change file")
    .option("--rules", "print that of the rules file")
    .action(lazily(async () => (await import("../commands/data/schema.ts")).schemaCommand));
}
