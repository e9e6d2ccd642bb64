import type { RowFormat } from "../../operations/csv.ts";
import { listRevisions, type ListedRevision } from "../../store/revisions/past.ts";
import { chooseOrganization, withExistingStore } from "../database.ts";
import { RowsOutput, formatOf, sheetOf } from "../output.ts";
import type { CommandOptions } from "../command-table.ts";

const REVISIONS: RowFormat<ListedRevision> = {
  ...sheetOf<ListedRevision>({
    revision: ({ revision }) => revision,
    time: ({ importedAt }) => importedAt,
    command: ({ command }) => command,
    members: ({ counts }) => counts.members,
    guests: ({ counts }) => counts.roles.guest,
    teams: ({ counts }) => counts.teams,
    collections: ({ counts }) => counts.collections,
    spaces: ({ counts }) => counts.spaces,
    sites: ({ counts }) => counts.sites,
    permissions: ({ counts }) => counts.permissions,
    note: ({ note }) => note ?? "",
    "input (SHA-256)": ({ input }) => input ?? "",
  }),
  object: (revision) => revision,
};

/** `rolebook revisions`: the revisions that can be read, latest first. */
export async function revisionsCommand(options: CommandOptions<"revisions">): Promise<void> {
  using rows = new RowsOutput(formatOf(options.format));
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(store, options.organization);
    rows.add(REVISIONS, []);
    for await (const each of listRevisions(store.engine, organization)) rows.add(REVISIONS, [each]);
  });
  await rows.print();
}
