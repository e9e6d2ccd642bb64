import { importFiles } from "../snapshot/import.ts";
import { KINDS, type OrganizationChange } from "../store/import/difference.ts";
import { print, say, withStore } from "./context.ts";
import { ImportProgress } from "./progress.ts";
import { table } from "./table.ts";
import { oneLine } from "./width.ts";

export interface ImportArguments {
  readonly database?: string;
  readonly dryRun?: boolean;
  readonly complete?: boolean;
  readonly allowRemovals?: boolean;
}

/** `rolebook import`: what was added, changed and removed, per organization and kind. */
export async function importCommand(files: readonly string[], options: ImportArguments): Promise<void> {
  await withStore(options.database, async ({ store }) => {
    const progress = new ImportProgress(files, process.stderr);
    try {
      const result = await importFiles(store.engine, files, {
        dryRun: options.dryRun ?? false,
        complete: options.complete ?? false,
        allowRemovals: options.allowRemovals ?? false,
        progress: (step) => progress.report(step),
      });
      progress.end();
      for (const organization of result.organizations) await print(summary(organization));
      if (result.ignoredUsers > 0) {
        say(`Ignored ${result.ignoredUsers} user records: these users are a member nowhere.`);
      }
      if (!result.changed) say("The import changes nothing; no new snapshot was made.");
      else if (options.dryRun === true) say("This was a dry run; nothing was changed.");
    } finally {
      progress.end();
    }
  });
}

function summary({ organization, title, kinds }: OrganizationChange): string {
  const rows = KINDS.map((kind) => {
    const { added, changed, removed } = kinds[kind];
    return [kind, added, changed, removed];
  });
  return `${organization} (${oneLine(title)})\n${table(["kind", "added", "changed", "removed"], rows)}`;
}
