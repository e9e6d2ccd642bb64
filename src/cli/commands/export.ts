import { exportLines, inPieces, withEnd } from "../../snapshot/export.ts";
import { modelOf } from "../../store/models.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import { chooseOrganization, withExistingStore } from "../database.ts";
import type { CommandOptions } from "../command-table.ts";
import { readAt } from "../options.ts";
import { write } from "../terminal.ts";

/** `rolebook export`: an organization as a snapshot on standard output. */
export async function exportCommand(options: CommandOptions<"export">): Promise<void> {
  const when = readAt(options.at);
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(store, options.organization);
    const model = await readConsistently(
      store,
      organization,
      (at, reader) => modelOf(store.reading(at, reader)),
      when,
    );
    for await (const { text } of inPieces(withEnd(exportLines(model)))) await write(text);
  });
}
