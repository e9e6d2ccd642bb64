import { exportLines } from "../snapshot/export.ts";
import { withEnd } from "../snapshot/writer.ts";
import { atOneMoment } from "../store/moment.ts";
import { print, withExistingStore } from "./context.ts";

/** `rolebook export`: a snapshot on standard output. */
export async function exportCommand(options: { organization: string; database?: string }): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    await atOneMoment(store, options.organization, async (at, reader) => {
      for await (const line of withEnd(exportLines(reader, at))) await print(line);
    });
  });
}
