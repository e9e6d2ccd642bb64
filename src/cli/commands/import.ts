/** `rolebook import`: makes each organization exactly what the files say. `rolebook pull --import` ends here too. */
import { type ImportResult, RefusedImport, importFiles } from "../../snapshot/import.ts";
import type { Input } from "../../snapshot/input.ts";
import { withStore, withStoreOrNone } from "../database.ts";
import { readBase, readWait } from "../options.ts";
import type { RowsOutput } from "../output.ts";
import { say } from "../terminal.ts";
import {
  DIFFERENCES,
  type ImportArguments,
  ImportProgress,
  type Outcome,
  type RulesExamination,
  examinationOf,
  readFormat,
  summaryOf,
  told,
} from "./writing.ts";

/**
 * `rolebook import`: prints how many records of each kind were added, changed and removed in each organization; with
 * `--details`, every such record.
 */
export async function importCommand(files: readonly Input[], options: ImportArguments): Promise<void> {
  readFormat(options);
  readWait(options.wait);
  readBase(options.base);
  const rules = await examinationOf(options);
  const { dryRun = false } = options;
  let name = "";
  const telling = {
    summaries: ({ organizations }: ImportResult) =>
      organizations.map((each) => summaryOf(each, ["added", "changed", "removed"])),
    notes({ ignoredUsers }: ImportResult) {
      if (ignoredUsers > 0)
        say(`Ignored ${ignoredUsers} user records: these users are not members of any organization.`);
    },
    refused: (error: unknown) => (error instanceof RefusedImport ? error.result : undefined),
    json(outcome: Outcome, result?: ImportResult, message?: string) {
      const changes = result?.organizations ?? [];
      const organizations = changes.map(({ organization, kinds }) => ({ organization, kinds }));
      return { outcome, dryRun, organizations, endingTokens: result?.endingTokens.length, message };
    },
  };
  const { changed } = await told(options, telling, async (details) => {
    const ran = await run(files, options, details, rules);
    ({ name } = ran);
    return ran.result;
  });
  if (!changed) say(`The import changes nothing${dryRun ? "" : ` in ${name}`}; no new revision was made.`);
  else if (dryRun) say("This was a dry run; nothing was changed.");
  else say(`Wrote ${name}.`);
}

/**
 * Imports, and closes the database before anything is printed: a slow reader of the output then blocks no other import.
 */
async function run(
  files: readonly Input[],
  options: ImportArguments,
  details: RowsOutput | undefined,
  rules: RulesExamination | undefined,
): Promise<{ name: string; result: ImportResult }> {
  const open = options.dryRun === true ? withStoreOrNone : withStore;
  return open(options.database, async ({ store }) => {
    const { engine } = store;
    const progress = new ImportProgress(files, process.stderr);
    try {
      const result = await importFiles(engine, files, {
        dryRun: options.dryRun ?? false,
        complete: options.complete ?? false,
        allowRemovals: options.allowRemovals ?? false,
        allowEmpty: options.allowEmpty ?? false,
        ...(options.note === undefined ? {} : { note: options.note }),
        patience: readWait(options.wait),
        base: readBase(options.base),
        examination: rules,
        ...(details === undefined ? {} : { details: (page) => details.add(DIFFERENCES, page) }),
        progress: (step) => progress.report(step),
      });
      return { name: engine.name, result };
    } finally {
      progress.end();
    }
  });
}
