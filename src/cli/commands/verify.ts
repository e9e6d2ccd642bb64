import { CommandError } from "../../domain/error.ts";
import { type Verified, verify } from "../../snapshot/verify.ts";
import { listOrganizations } from "../../store/revisions/organizations.ts";
import { withExistingStore } from "../database.ts";
import { formatOf, printRows, sheetOf } from "../output.ts";
import { print, say } from "../terminal.ts";
import type { CommandOptions } from "../command-table.ts";

/**
 * `rolebook verify`: derives all tables from the records again, and compares. With `--repair`, writes what it derived
 * if something differs (docs/operations.md).
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
      const verified = await verify(store, organization, {
        repair: options.repair === true,
        waiting: () => say("Waiting for another import or change to end."),
      });
      if (format === "table") await tell(verified);
      all.push(verified);
    }
    if (format !== "table") await printRows(format, SHEET, all.flatMap(rowsOf));
    const wrong = all.filter(
      ({ findings, repaired }) => findings.length > 0 && repaired === undefined,
    ).length;
    if (wrong > 0) {
      throw new CommandError(
        `${wrong} of ${wanted.length} organizations have tables that differ from their records; --repair rewrites them.`,
      );
    }
  });
}

async function tell({ organization, revision, findings, repaired }: Verified): Promise<void> {
  if (findings.length === 0) {
    await print(`${organization}, revision ${revision}: the derived data matches the records.`);
    return;
  }
  for (const { table, rows, first } of findings) {
    const more = rows > first.length ? " …" : "";
    await print(
      `${organization}, revision ${revision}: ${table} differs in ${rows}: ${first.join(", ")}${more}`,
    );
  }
  if (repaired !== undefined) await print(`${organization}: rewritten as revision ${repaired}.`);
}

interface FindingRow {
  readonly organization: string;
  readonly revision: number;
  /** Empty if everything matches. */
  readonly table: string;
  readonly rows: number;
  readonly first: string;
  /** The revision that the repair made; empty without one. */
  readonly repaired: number | "";
}

const SHEET = sheetOf<FindingRow>({
  organization: ({ organization }) => organization,
  revision: ({ revision }) => revision,
  table: ({ table }) => table,
  rows: ({ rows }) => rows,
  first: ({ first }) => first,
  repaired: ({ repaired }) => repaired,
});

/** One row for each table that differs; one row without a table if none does. */
function rowsOf({ organization, revision, findings, repaired }: Verified): FindingRow[] {
  const found = findings.map(({ table, rows, first }) => ({ table, rows, first: first.join(", ") }));
  const rows = found.length === 0 ? [{ table: "", rows: 0, first: "" }] : found;
  return rows.map((row) => ({ organization, revision, ...row, repaired: repaired ?? "" }));
}
