import type { Command } from "commander";
import { convertCsv } from "../../connectors/csv/convert.ts";
import { writeSnapshot } from "../../snapshot/output.ts";
import { oneLine } from "../../domain/text.ts";
import { type OptionTable, type OptionsOf, addOptions, example } from "../command-table.ts";
import { StatusLine, say, write } from "../terminal.ts";

const OPTIONS = {
  "--organization <id>": { required: "the organization's id" },
  "--title <text>": { required: "the organization's title" },
  "--people <file...>": "id or e-mail, name, role or guest, teams",
  "--access <file...>": "permissions: content or site, user or team, role",
  "--effective <file...>": "effective roles: content, user, role; instead of --access",
  "--content <file...>": "all contents: title, parent (path or id), default level, kind",
  "--teams <file...>": "all teams: title, id, created",
  "--members <file...>": "members of teams: team, user; a row for each",
  "--sites <file...>": "site, space, default level",
  "--default-level <level>": "closed, inherit, or a role, for contents without a default level",
  "--roles <file...>": "translations of another system's roles: from, to",
  "--ids <file>": "file that keeps assigned ids; rewritten when ids are added",
  "--columns <list...>": "headings, such as name=Full Name,access.role=Level",
  "--encoding <name>":
    "encoding of files that are not UTF-8 and have no byte order mark, such as windows-1252",
  "--path-separator <text>": ["text between the titles of a path", " / "],
  "--left <column>": "heading in --people of who has left: yes, no, or the last day",
  "--skip-unknown": "leave out rows of people who are not in --people, and list these people",
  "--output <file>": "write to a file that only its owner may read, once the output is complete",
  "--report": "print what was derived or assumed",
} as const satisfies OptionTable;

export function addConversions(convert: Command): void {
  const csv = convert
    .command("csv")
    .description("convert spreadsheets to a snapshot on standard output; see docs/csv.md")
    .addHelpText(
      "after",
      example("convert csv --organization acme --title Acme --people people.csv --access access.csv"),
    );
  addOptions(csv, OPTIONS).action(convertCsvCommand);
}

async function convertCsvCommand({ output, report, ...options }: OptionsOf<typeof OPTIONS>): Promise<void> {
  const line = new StatusLine();
  const progress = (what: string, done: number) =>
    line.show(() => `${what} … ${done.toLocaleString("en")} rows`);
  const { records, notes, leftOut } = await convertCsv(options, progress).finally(() => line.end());
  for (const each of leftOut) say(oneLine(each));
  await writeSnapshot(counting(records, progress), output, write).finally(() => line.end());
  for (const line of notes.lines(report === true ? "all" : "warnings")) say(oneLine(line));
}

/** The number of records between two reports of progress. */
const REPORT_INTERVAL = 1000;

function* counting<Item>(
  items: Iterable<Item>,
  progress: (what: string, done: number) => void,
): Generator<Item> {
  let done = 0;
  for (const item of items) {
    if (++done % REPORT_INTERVAL === 0) progress("Writing", done);
    yield item;
  }
}
