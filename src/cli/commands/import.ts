/** `rolebook import`: makes each organization exactly what the files say. `rolebook pull --import` ends here too. */
import { counted, oneLine } from "../../domain/text.ts";
import { type ImportResult, type ImportStep, RefusedImport, importFiles } from "../../snapshot/import.ts";
import { beforeAndAfter } from "../../snapshot/export.ts";
import type { Input } from "../../snapshot/input.ts";
import { withStore, withStoreOrNone } from "../database.ts";
import { readBase, readWait } from "../options.ts";
import type { Returned } from "../../store/writing/returned.ts";
import { nameOf } from "../../store/writing/guard.ts";
import type { Format, RowsOutput } from "../output.ts";
import { interruptible, print, say } from "../terminal.ts";
import {
  DIFFERENCES,
  type ImportOptions,
  ImportProgress,
  type WritingOutcome,
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
export async function importCommand(files: readonly Input[], options: ImportOptions): Promise<void> {
  readFormat(options);
  readWait(options.wait);
  readBase(options.base);
  const rules = await examinationOf(options);
  const { dryRun = false } = options;
  let name = "";
  const telling = {
    summaries: ({ organizations }: ImportResult) =>
      organizations.map((each) => summaryOf(each, ["added", "changed", "removed"])),
    async notes({ ignoredUsers, returned }: ImportResult, format: Format) {
      await tellReturned(returned, format);
      if (ignoredUsers > 0)
        say(`Ignored ${ignoredUsers} user records: these users are not members of any organization.`);
    },
    refused: (error: unknown) => (error instanceof RefusedImport ? error.result : undefined),
    json(outcome: WritingOutcome, result?: ImportResult, message?: string) {
      const changes = result?.organizations ?? [];
      const organizations = changes.map(({ organization, kinds }) => ({ organization, kinds }));
      const [endingTokens, returned] = [result?.endingTokens.length, result?.returned.length];
      return { outcome, dryRun, organizations, endingTokens, returned, message };
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

function interruptedIn(phase: ImportStep["phase"], isDry: boolean): string {
  const mayBeDone = !isDry && (phase === "publishing" || phase === "writing");
  if (!mayBeDone) return "Interrupted; nothing was changed.";
  return "Interrupted while the import was published: all of it was changed or nothing; rolebook status says which.";
}

/** The most records that are named on standard error. */
const MOST_NAMED = 20;

/** Names what comes back although `apply` removed it: whoever removed it has to remove it where the file comes from. */
async function tellReturned(returned: readonly Returned[], format: Format): Promise<void> {
  if (returned.length === 0) return;
  say(
    `${counted(returned.length, "record")} that rolebook apply removed ${returned.length === 1 ? "comes" : "come"} back; remove what is not wanted where the file comes from:`,
  );
  for (const each of returned.slice(0, MOST_NAMED)) {
    const { revision, importedAt } = each.removed;
    say(oneLine(`  ${each.kind} ${nameOf(each)}, removed in revision ${revision} (${importedAt})`));
  }
  const more = returned.length - MOST_NAMED;
  if (more > 0)
    say(
      `  and ${more.toLocaleString("en")} more${format === "ndjson" ? "" : "; --format ndjson lists them all"}`,
    );
  if (format !== "ndjson") return;
  for (const each of returned) {
    const { organization, kind, removed } = each;
    await print(JSON.stringify({ organization, change: "returned", kind, ...beforeAndAfter(each), removed }));
  }
}

/**
 * Imports, and closes the database before anything is printed: a slow reader of the output then blocks no other import.
 */
async function run(
  files: readonly Input[],
  options: ImportOptions,
  details: RowsOutput | undefined,
  rules: RulesExamination | undefined,
): Promise<{ name: string; result: ImportResult }> {
  const open = options.dryRun === true ? withStoreOrNone : withStore;
  return open(options.database, async ({ store }) => {
    const { engine } = store;
    using progress = new ImportProgress(files, process.stderr);
    let phase: ImportStep["phase"] = "waiting";
    const importing = () =>
      importFiles(engine, files, {
        dryRun: options.dryRun ?? false,
        complete: options.complete ?? false,
        allowRemovals: options.allowRemovals ?? false,
        allowEmpty: options.allowEmpty ?? false,
        refuseReturned: options.refuseReturned ?? false,
        ...(options.note === undefined ? {} : { note: options.note }),
        patience: readWait(options.wait),
        base: readBase(options.base),
        examination: rules,
        ...(details === undefined ? {} : { details: (page) => details.add(DIFFERENCES, page) }),
        progress: (step) => {
          ({ phase } = step);
          progress.report(step);
        },
      });
    const result = await interruptible(() => interruptedIn(phase, options.dryRun === true), importing);
    return { name: engine.name, result };
  });
}
