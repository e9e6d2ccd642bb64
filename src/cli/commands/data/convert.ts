import type { Command } from "commander";
import { convertCsv } from "../../../connectors/csv/convert.ts";
import type { CsvOptions } from "../../../connectors/csv/options.ts";
import { writeSnapshot } from "../../../connectors/output.ts";
import { say, write } from "../../context.ts";
import { oneLine } from "../../../domain/text/one-line.ts";

interface ConvertCsvArguments extends CsvOptions {
  readonly output?: string;
  readonly report?: boolean;
}

/** Adds the sources of `rolebook convert`. */
export function addConversions(convert: Command): void {
  convert
    .command("csv")
    .description("a snapshot out of spreadsheets, on standard output; see docs/csv.md")
    .requiredOption("--organization <id>", "the organization's id")
    .requiredOption("--title <text>", "the organization's title")
    .option("--people <file>", "id or e-mail, name, role or guest, teams")
    .option("--access <file>", "content, user or team, role: what was given")
    .option("--effective <file>", "content, user, role: what each has in the end, instead of --access")
    .option(
      "--content <file>",
      "title, parent path or id, default level, kind; from then on no other content is known",
    )
    .option("--teams <file>", "title, id, created; from then on no other team is known")
    .option("--sites <file>", "site, space")
    .option("--default-level <level>", "closed, inherit, or a role, for contents without a default level")
    .option("--roles <file>", "from, to: roles of another system, and what they are here")
    .option("--ids <file>", "keeps who has which id; written anew where ids were made")
    .option("--columns <list>", "headings, such as name=Full Name,access.role=Level", collect)
    .option(
      "--encoding <name>",
      "of files that are neither UTF-8 nor have a byte order mark, such as windows-1252",
    )
    .option("--path-separator <text>", "between the titles of a path", " / ")
    .option("--output <file>", "write to a file that only its owner may read, when all of it is there")
    .option("--report", "say what was derived or assumed")
    .exitOverride()
    .action(convertCsvCommand);
}

async function convertCsvCommand({ output, report, ...options }: ConvertCsvArguments): Promise<void> {
  const { records, notes } = await convertCsv(options);
  await writeSnapshot(records, output, write);
  if (report !== true) return;
  for (const line of notes.lines()) say(oneLine(line));
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
