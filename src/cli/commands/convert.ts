import type { Command } from "commander";
import { type CsvOptions, convertCsv } from "../../connectors/csv/convert.ts";
import { writeSnapshot } from "../../connectors/output.ts";
import { oneLine } from "../../domain/text.ts";
import { say, write } from "../terminal.ts";

interface ConvertCsvArguments extends CsvOptions {
  readonly output?: string;
  readonly report?: boolean;
}

export function addConversions(convert: Command): void {
  convert
    .command("csv")
    .description("convert spreadsheets to a snapshot on standard output; see docs/csv.md")
    .requiredOption("--organization <id>", "the organization's id")
    .requiredOption("--title <text>", "the organization's title")
    .option("--people <file...>", "id or e-mail, name, role or guest, teams")
    .option("--access <file...>", "permissions: content, user or team, role")
    .option("--effective <file...>", "effective roles: content, user, role; instead of --access")
    .option("--content <file...>", "all contents: title, parent (path or id), default level, kind")
    .option("--teams <file...>", "all teams: title, id, created")
    .option("--sites <file...>", "site, space")
    .option("--default-level <level>", "closed, inherit, or a role, for contents without a default level")
    .option("--roles <file...>", "translations of another system's roles: from, to")
    .option("--ids <file>", "file that keeps assigned ids; rewritten when ids are added")
    .option("--columns <list...>", "headings, such as name=Full Name,access.role=Level")
    .option(
      "--encoding <name>",
      "encoding of files that are not UTF-8 and have no byte order mark, such as windows-1252",
    )
    .option("--path-separator <text>", "text between the titles of a path", " / ")
    .option("--output <file>", "write to a file that only its owner may read, once the output is complete")
    .option("--report", "print what was derived or assumed")
    .action(convertCsvCommand);
}

async function convertCsvCommand({ output, report, ...options }: ConvertCsvArguments): Promise<void> {
  const { records, notes } = await convertCsv(options);
  await writeSnapshot(records, output, write);
  for (const line of notes.lines(report === true ? "all" : "warnings")) say(oneLine(line));
}
