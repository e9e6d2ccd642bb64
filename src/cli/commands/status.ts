import { megabytes } from "../../domain/text.ts";
import type { Revision } from "../../store/reading.ts";
import { keptOf } from "../../store/revisions/history.ts";
import { confirmedAt, listOrganizations, unreachable } from "../../store/revisions/organizations.ts";
import { isApplied } from "../../store/revisions/publication.ts";
import { chooseOrganization, withExistingStore } from "../database.ts";
import { formatOf, printRows, sheetOf } from "../output.ts";
import { say, table, write } from "../terminal.ts";
import type { CommandOptions } from "../command-table.ts";

interface Status {
  readonly at: Revision;
  readonly confirmed: string | undefined;
  readonly kept: Awaited<ReturnType<typeof keptOf>>[number] | undefined;
}

/** What is shown of an organization, by name. */
const SHOWN: Readonly<Record<string, (status: Status) => string | number>> = {
  organization: ({ at }) => at.organization,
  revision: ({ at }) => at.revision,
  imported: ({ at }) => at.importedAt,
  confirmed: ({ at, confirmed }) => confirmed ?? at.importedAt,
  "last file": ({ kept }) => kept?.fileAt ?? "never",
  "last change": ({ kept }) => kept?.changeAt ?? "never",
  members: ({ at }) => at.counts.members,
  guests: ({ at }) => at.counts.roles.guest,
  teams: ({ at }) => at.counts.teams,
  collections: ({ at }) => at.counts.collections,
  spaces: ({ at }) => at.counts.spaces,
  sites: ({ at }) => at.counts.sites,
  permissions: ({ at }) => at.counts.permissions,
  kept: ({ kept }) => kept?.revisions ?? 0,
  earliest: ({ at, kept }) => kept?.earliest ?? at.revision,
  "past, about MB": ({ kept }) => (kept?.bytes === undefined ? "unknown" : megabytes(kept.bytes)),
};

const SHEET = sheetOf(SHOWN);

/**
 * `rolebook status`: the counts, the last import and the readable past of each organization, and the size of the
 * database. One organization is shown line by line.
 */
export async function statusCommand(options: CommandOptions<"status">): Promise<void> {
  const format = formatOf(options.format);
  // A table is followed by lines about the database; programs get them on standard error.
  const tell =
    format === "table" ? async (line: string) => write(`${line}\n`) : async (line: string) => say(line);
  await withExistingStore(options.database, async ({ store }) => {
    const { engine } = store;
    const organizations =
      options.organization === undefined
        ? await listOrganizations(engine)
        : [await chooseOrganization(store, options.organization)];
    const lost = await unreachable(engine, organizations);
    const kept = new Map((await keptOf(engine, lost)).map((each) => [each.organization, each]));
    const rows: Status[] = [];
    for (const at of organizations) {
      const confirmed = await confirmedAt(engine, at.organization);
      rows.push({ at, confirmed, kept: kept.get(at.organization) });
    }
    const [only, another] = rows;
    if (format === "table" && only !== undefined && another === undefined) {
      await tell(
        table(
          ["organization", only.at.organization],
          SHEET.table.slice(1).map((name, index) => [name, String(SHEET.cells(only)[index + 1])]),
        ),
      );
    } else await printRows(format, SHEET, rows);
    if (lost.size > 0) await tell(`did not answer within a second: ${[...lost].join(", ")}`);
    for (const at of organizations) {
      if (lost.has(at.organization) || (await isApplied(engine, at))) continue;
      await tell(`committed, but not visible yet: revision ${at.revision} of ${at.organization}`);
    }
    const size = await engine.size();
    const without = size.lost.length > 0 ? `, without what is on ${size.lost.join(" and ")}` : "";
    await tell(`database ${engine.name}, ${megabytes(size.bytes)} MB${without}`);
  });
}
