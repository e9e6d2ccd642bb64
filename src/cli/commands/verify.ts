import { CommandError } from "../../domain/error.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import { listOrganizations } from "../../store/revisions/organizations.ts";
import { type Finding, findingsOf, LOST } from "../../store/rows/verify.ts";
import { withExistingStore } from "../database.ts";
import { formatOf, printRows, sheetOf } from "../output.ts";
import { print, say } from "../terminal.ts";
import type { CommandOptions } from "../command-table.ts";

/** What was found in an organization at its current revision and before. */
interface Verified {
  readonly organization: string;
  readonly revision: number;
  readonly findings: readonly Finding[];
}

/**
 * `rolebook verify`: checks the rows of each revision and the log between them. With `--repair`, says what mends them; it
 * changes nothing (docs/operations.md).
 */
export async function verifyCommand(options: CommandOptions<"verify">): Promise<void> {
  const format = formatOf(options.format);
  await withExistingStore(options.database, async ({ store }) => {
    const wanted =
      options.organization === undefined
        ? (await listOrganizations(store.engine)).map((each) => each.organization)
        : [options.organization];
    const all: Verified[] = [];
    for (const organization of wanted) {
      const verified = await readConsistently(store, organization, async (at, reader) => ({
        organization,
        revision: at.revision,
        findings: await findingsOf(reader, organization),
      }));
      if (format === "table") for (const line of linesOf(verified)) await print(line);
      all.push(verified);
    }
    if (format !== "table") await printRows(format, SHEET, all.flatMap(rowsOf));
    const wrong = all.filter(({ findings }) => findings.length > 0);
    if (wrong.length === 0) return;
    if (options.repair === true) for (const each of wrong) say(repairOf(each));
    const rest = options.repair === true ? "nothing was changed." : "--repair says what mends them.";
    throw new CommandError(`${wrong.length} of ${wanted.length} organizations are damaged; ${rest}`);
  });
}

function linesOf({ organization, revision, findings }: Verified): string[] {
  const at = `${organization}, revision ${revision}`;
  if (findings.length === 0) return [`${at}: all records are there, and so are those of earlier revisions.`];
  return findings.map(({ table, problem, rows, first }) => {
    const more = rows > first.length ? " …" : "";
    return `${at}: ${table} ${problem} in ${rows}: ${first.join(", ")}${more}`;
  });
}

/** What mends an organization: nothing that is stored tells what a damaged row was. */
function repairOf({ organization, revision, findings }: Verified): string {
  const current = findings.filter(({ isCurrent }) => isCurrent);
  if (current.some(({ problem }) => problem === LOST))
    return `${organization}: restore a backup, unless rolebook status says that a node does not show the current revision yet; an import needs its row.`;
  return current.length > 0
    ? `${organization}: only an import of its whole file mends revision ${revision}: rolebook import FILE. Without a file, restore a backup.`
    : `${organization}: revision ${revision} is whole. Only a backup mends the revisions before it; they are deleted with the history (rolebook history).`;
}

interface FindingRow {
  readonly organization: string;
  readonly revision: number;
  /** Empty if everything is right. */
  readonly table: string;
  readonly problem: string;
  readonly rows: number;
  readonly first: string;
}

const SHEET = sheetOf<FindingRow>({
  organization: ({ organization }) => organization,
  revision: ({ revision }) => revision,
  table: ({ table }) => table,
  problem: ({ problem }) => problem,
  rows: ({ rows }) => rows,
  first: ({ first }) => first,
});

/** One row for each finding; one row without a table if there is none. */
function rowsOf({ organization, revision, findings }: Verified): FindingRow[] {
  const found = findings.map((finding) => ({ ...finding, first: finding.first.join(", ") }));
  const rows = found.length === 0 ? [{ table: "", problem: "", rows: 0, first: "" }] : found;
  return rows.map((row) => ({ organization, revision, ...row }));
}
