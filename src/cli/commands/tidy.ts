/** `rolebook tidy`: lists what can be tidied up, or makes the change file that removes redundant permissions. */
import { contentKey } from "../../domain/content.ts";
import {
  FINDINGS,
  FINDING_COLUMNS,
  type Finding,
  type FindingKind,
  findingCells,
} from "../../domain/findings.ts";
import type { RowFormat } from "../../operations/csv.ts";
import { removedPermission } from "../../review/removals.ts";
import { tidy } from "../../review/tidy.ts";
import type { Reader } from "../../store/engine/engine.ts";
import type { Revision } from "../../store/reading.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import { chooseOrganization, withExistingStore } from "../database.ts";
import type { CommandOptions } from "../command-table.ts";
import { oneOf, readAt } from "../options.ts";
import { FORMATS, RowsOutput } from "../output.ts";
import { StatusLine, print, say } from "../terminal.ts";

const TIDY_FORMATS = [...FORMATS, "changes"] as const;

const SHEET: RowFormat<Finding> = {
  table: ["finding", "what", "who", "role", "reason"],
  cells: rowOf,
  csv: FINDING_COLUMNS,
  record: findingCells,
  object: ({ kind, ...finding }) => ({ finding: kind, ...finding }),
};

/** The records of a change file, which has no other format than its own. */
const RECORDS: RowFormat<object> = {
  table: [],
  cells: () => [],
  csv: [],
  record: () => [],
  object: (record) => record,
};

function removalOf({ content, user, team }: Finding): object {
  if (content === undefined) throw new Error("A permission is on a content.");
  const grantee = user === undefined ? { team: team?.id ?? "" } : { user: user.id };
  return removedPermission(contentKey(content.kind, content.id), grantee);
}

function rowOf({ kind, content, user, team, role, reason }: Finding): string[] {
  const who =
    user === undefined ? team && `team ${team.title} (${team.id})` : `${user.displayName} (${user.id})`;
  const what = content && `${content.title} (${content.kind}/${content.id})`;
  return [FINDINGS[kind], what ?? "", who ?? "", role ?? "", reason];
}

/** `rolebook tidy`: lists what can be tidied up, and why, or makes a change file that removes redundant permissions. */
export async function tidyCommand(options: CommandOptions<"tidy">): Promise<void> {
  const format = oneOf("--format", options.format ?? "table", TIDY_FORMATS) ?? "table";
  const when = readAt(options.at);
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(store, options.organization);
    const isChanges = format === "changes";
    using rows = new RowsOutput(isChanges ? "ndjson" : format, (more) =>
      print(`… and ${more} more; --format csv or --format ndjson lists them all.`),
    );
    const counts = new Map<FindingKind, number>();
    const line = new StatusLine();
    const look = async (at: Revision, reader: Reader) => {
      // The file names the revision as its base: at a later one, a removal might change an effective role.
      if (isChanges) rows.add(RECORDS, [{ object: "changes", organization, base: at.revision }]);
      else rows.add(SHEET, []);
      const progress = (contents: number) =>
        line.show(() => `Checked ${contents.toLocaleString("en")} contents`);
      for await (const findings of tidy(store.reading(at, reader), progress)) {
        for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1);
        if (!isChanges) rows.add(SHEET, findings);
        else rows.add(RECORDS, findings.filter(({ kind }) => kind === "redundant").map(removalOf));
      }
      if (isChanges) rows.add(RECORDS, [{ object: "end", records: rows.rows }]);
    };
    await readConsistently(store, organization, look, when).finally(() => line.end());
    await rows.print();
    say(summaryOf(counts));
  });
}

function summaryOf(counts: ReadonlyMap<string, number>): string {
  if (counts.size === 0) return "There is nothing to tidy up.";
  const parts = Object.entries(FINDINGS).flatMap(([kind, words]) => {
    const count = counts.get(kind);
    return count === undefined ? [] : [`${words}: ${count.toLocaleString("en")}`];
  });
  return `${parts.join("; ")}.`;
}
