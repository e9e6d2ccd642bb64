import type { Command } from "commander";
import { type CsvOptions, convertCsv } from "../../connectors/csv/convert.ts";
import { writeSnapshot } from "../../connectors/output.ts";
import { oneLine } from "../../domain/text.ts";
import { example } from "../options.ts";
import { StatusLine, say, write } from "../terminal.ts";

interface ConvertCsvArguments extends CsvOptions {
  readonly output?: string;
  readonly report?: boolean;
}

export function addConversions(convert: Command): void {
  convert
    .command("csv")
    .description("convert spreadsheets to a snapshot on standard output; see docs/csv.md")
    .addHelpText(
      "after",
      example("convert csv --organization acme --title Acme --people people.csv --access access.csv"),
    )
    .requiredOption("--organization <id>", "the organization's id")
    .requiredOption("--title <text>", "the organization's title")
    .option("--people <file...>", "id or e-mail, name, role or guest, teams")
    .option("--access <file...>", "permissions: content, user or team, role")
    .option("--effective <file...>", "effective roles: content, user, role; instead of --access")
    .option("--content <file...>", "all contents: title, parent (path or id), default level, kind")
    .option("--teams <file...>", "all teams: title, id, created")
    .option("--members <file...>", "members of teams: team, user; a row for each")
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
    .option("--left <column>", "heading in --people of who has left: yes, no, or the last day")
    .option("--skip-unknown", "leave out rows of people who are not in --people, and list these people")
    .option("--output <file>", "write to a file that only its owner may read, once the output is complete")
    .option("--report", "print what was derived or assumed")
    .action(convertCsvCommand);
}

async function convertCsvCommand({ output, report, ...options }: ConvertCsvArguments): Promise<void> {
  const line = new StatusLine();
  const progress = (what: string, done: number) =>
    line.show(() => `${what} … ${done.toLocaleString("en")} rows`);
  const { records, notes, leftOut } = await convertCsv(options, progress).finally(() => line.end());
  for (const each of leftOut) say(oneLine(each));
  await writeSnapshot(counting(records, progress), output, write).finally(() => line.end());
  for (const line of notes.lines(report === true ? "all" : "warnings")) say(oneLine(line));
}

/** The number of records between two reports of progress. */
const SOME = 1000;

function* counting<Item>(
  items: Iterable<Item>,
  progress: (what: string, done: number) => void,
): Generator<Item> {
  let done = 0;
  for (const item of items) {
    if (++done % SOME === 0) progress("Writing", done);
    yield item;
  }
}
