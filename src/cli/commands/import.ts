import { NotVisibleError } from "../../domain/error.ts";
import { oneLine } from "../../domain/text.ts";
import { type ImportResult, RefusedImport, importFiles } from "../../snapshot/import.ts";
import type { Input } from "../../snapshot/input.ts";
import { RECORD_KINDS } from "../../store/schema/record-change.ts";
import type { OrganizationChange } from "../../store/writing/generation/difference.ts";
import { withStore, withStoreOrNone } from "../database.ts";
import { print, say, table } from "../terminal.ts";
import {
  Details,
  type ImportArguments,
  ImportProgress,
  type RulesExamination,
  examinationOf,
  noteAlike,
  readFormat,
} from "./writing.ts";
import { readBase, readWait } from "../options.ts";

/** The outcome that `--json` prints. */
type Outcome = "changed" | "unchanged" | "refused" | "failed" | "committed";

/**
 * `rolebook import`: prints how many records of each kind were added, changed and removed in each organization; with
 * `--details`, every such record.
 */
export async function importCommand(files: readonly Input[], options: ImportArguments): Promise<void> {
  const format = readFormat(options.format, options.details === true, options.json === true);
  readWait(options.wait);
  readBase(options.base);
  const rules = await examinationOf(options);
  const dry = options.dryRun === true;
  const details = options.details === true ? new Details(format) : undefined;
  // With `--format csv` or `ndjson`, standard output has only records.
  const summarise = format === "table" ? print : async (text: string) => say(text);
  const end = async (outcome: Outcome, result?: ImportResult, message?: string) => {
    if (result !== undefined) {
      await tell(result, summarise);
      details?.addTokens(result.endingTokens);
      await details?.print();
    }
    if (options.json === true) await print(JSON.stringify(outcomeOf(outcome, options, result, message)));
  };
  try {
    const { name, result } = await run(files, options, details, rules);
    await end(result.changed ? "changed" : "unchanged", result);
    if (!result.changed)
      say(`The import changes nothing${dry ? "" : ` in ${name}`}; no new revision was made.`);
    else if (dry) say("This was a dry run; nothing was changed.");
    else say(`Wrote ${name}.`);
  } catch (error) {
    if (error instanceof RefusedImport) await end("refused", error.result, error.message);
    else if (error instanceof NotVisibleError) await end("committed", undefined, error.message);
    else await end("failed", undefined, error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    details?.close();
  }
}

/**
 * Imports, and closes the database before anything is printed: a slow reader of the output then blocks no other import.
 */
async function run(
  files: readonly Input[],
  options: ImportArguments,
  details: Details | undefined,
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
        ...(details === undefined ? {} : { details: (page) => details.add(page) }),
        progress: (step) => progress.report(step),
      });
      return { name: engine.name, result };
    } finally {
      progress.end();
    }
  });
}

async function tell(result: ImportResult, summarise: (text: string) => Promise<void>): Promise<void> {
  for (const organization of result.organizations) await summarise(summary(organization));
  if (result.ignoredUsers > 0) {
    say(`Ignored ${result.ignoredUsers} user records: these users are not members of any organization.`);
  }
  noteAlike(result.alike);
  const tokens = result.endingTokens.length;
  if (tokens > 0) say(`Tokens of members who leave, deleted with them: ${tokens}.`);
}

function summary({ organization, title, kinds }: OrganizationChange): string {
  const rows = RECORD_KINDS.map((kind) => {
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
  return { outcome, dryRun, organizations, endingTokens: result?.endingTokens.length, message };
}
