import { exportLines, withEnd } from "../../snapshot/export.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import { chooseOrganization, withExistingStore } from "../database.ts";
import type { CommandOptions } from "../command-table.ts";
import { readAt } from "../options.ts";
import { print } from "../terminal.ts";

/** `rolebook export`: an organization as a snapshot on standard output. */
export async function exportCommand(options: CommandOptions<"export">): Promise<void> {
  const when = readAt(options.at);
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(store, options.organization);
    await readConsistently(
      store,
      organization,
      async (at, reader) => {
        for await (const line of withEnd(exportLines(reader, at))) await print(line);
      },
      when,
    );
  });
}
