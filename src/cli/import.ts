import { oneLine } from "../domain/one-line.ts";
import { type ImportOptions, type ImportResult, importFiles, RefusedImport } from "../snapshot/import.ts";
import type { Input } from "../snapshot/lines.ts";
import type { Engine } from "../store/engine.ts";
import { KINDS, type OrganizationChange } from "../store/import/difference.ts";
import { print, say, withStore } from "./context.ts";
import { ImportProgress } from "./progress.ts";
import { table } from "./table.ts";

export interface ImportArguments {
  readonly database?: string;
  readonly dryRun?: boolean;
  readonly complete?: boolean;
  readonly allowRemovals?: boolean;
  readonly allowEmpty?: boolean;
  readonly json?: boolean;
}

/** How an import ended, as the last line says it with `--json`. */
type Outcome = "changed" | "unchanged" | "refused" | "failed";

/** `rolebook import`: what was added, changed and removed, per organization and kind. */
export async function importCommand(files: readonly Input[], options: ImportArguments): Promise<void> {
  const end = async (outcome: Outcome, result: ImportResult | undefined, message?: string) => {
    if (options.json === true) await print(JSON.stringify(outcomeOf(outcome, options, result, message)));
  };
  try {
    await withStore(options.database, async ({ store }) => {
      const result = await run(store.engine, files, options);
      await tell(result);
      if (!result.changed) say("The import changes nothing; no new snapshot was made.");
      else if (options.dryRun === true) say("This was a dry run; nothing was changed.");
      else say(`Wrote ${store.engine.name}.`);
      await end(result.changed ? "changed" : "unchanged", result);
    });
  } catch (error) {
    if (error instanceof RefusedImport) {
      await tell(error.result);
      await end("refused", error.result, error.message);
    } else {
      await end("failed", undefined, error instanceof Error ? error.message : String(error));
    }
    throw error;
  }
}

async function run(engine: Engine, files: readonly Input[], options: ImportOptions): Promise<ImportResult> {
  const progress = new ImportProgress(files, process.stderr);
  try {
    return await importFiles(engine, files, { ...options, progress: (step) => progress.report(step) });
  } finally {
    progress.end();
  }
}

async function tell(result: ImportResult): Promise<void> {
  for (const organization of result.organizations) await print(summary(organization));
  if (result.ignoredUsers > 0) {
    say(`Ignored ${result.ignoredUsers} user records: these users are a member nowhere.`);
  }
}

function summary({ organization, title, kinds }: OrganizationChange): string {
  const rows = KINDS.map((kind) => {
    const { added, changed, removed } = kinds[kind];
    return [kind, added, changed, removed];
  });
  return `${organization} (${oneLine(title)})\n${table(["kind", "added", "changed", "removed"], rows)}`;
}

function outcomeOf(
  outcome: Outcome,
  { dryRun = false }: ImportArguments,
  result: ImportResult | undefined,
  message: string | undefined,
) {
  const organizations = (result?.organizations ?? []).map(({ organization, kinds }) => ({
    organization,
    kinds,
  }));
  return { outcome, dryRun, organizations, message };
}
