import { exportLines } from "../snapshot/export.ts";
import { print, withExistingStore } from "./context.ts";

/** `rolebook export`: a snapshot on standard output. */
export async function exportCommand(options: { organization: string; database?: string }): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    for await (const line of exportLines(store.engine, store.registry, options.organization))
      await print(line);
  });
}
