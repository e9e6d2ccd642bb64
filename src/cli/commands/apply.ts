import { bothGiven, readWait } from "../options.ts";
import { NotVisibleError, UsageError } from "../../domain/error.ts";
import { oneLine } from "../../domain/text.ts";
import { type ApplyResult, RefusedChange, applyChange } from "../../snapshot/changes/apply.ts";
import { type BatchAnswer, follow } from "../../snapshot/changes/follow.ts";
import { readChange } from "../../snapshot/changes/read.ts";
import { nameOf } from "../../snapshot/read.ts";
import type { Store } from "../../store/store.ts";
import { RECORD_KINDS } from "../../store/schema/record-change.ts";
import { withExistingStore } from "../database.ts";
import {
  type ApplyArguments,
  Details,
  ImportProgress,
  type RulesExamination,
  examinationsOf,
  noteAlike,
  readFormat,
} from "./writing.ts";
import { print, say, table } from "../terminal.ts";

/** `rolebook apply --follow -`: applies each batch when its end record arrives, and prints a line of JSON for it. */
export async function followCommand(
  files: readonly string[],
  options: ApplyArguments,
  examinations: (() => RulesExamination) | undefined,
): Promise<void> {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) {
    throw new UsageError(`--follow reads one stream, but ${files.length} files are given; accepted: -.`);
  }
  for (const name of ["details", "format", "complete"] as const) {
    if (options[name] === undefined) continue;
    throw bothGiven(`--${name}`, "--follow");
  }
  let examination: RulesExamination | undefined;
  const lines = await withExistingStore(options.database, ({ store: { engine } }) =>
    follow(
      engine,
      file,
      {
        dryRun: options.dryRun ?? false,
        allowRemovals: options.allowRemovals ?? false,
        note: options.note,
        patience: readWait(options.wait),
      },
      async (answer) => {
        noteAlike(answer.result?.alike ?? []);
        await print(JSON.stringify(lineOf(answer, examination?.broken)));
      },
      () => (examination = examinations?.()),
    ),
  );
  if (lines > 0)
    say(`Dropped ${lines === 1 ? "the last line" : `the last ${lines} lines`}, without an end record.`);
}

function lineOf(
  { outcome, result, message, milliseconds }: BatchAnswer,
  brokenRules: readonly string[] | undefined,
) {
  const { organization, revision, repeated, kinds, endingTokens } = result ?? {};
  return {
    outcome,
    organization,
    revision,
    repeated,
    kinds,
    endingTokens: endingTokens?.length,
    brokenRules,
    message,
    milliseconds,
  };
}

/**
 * `rolebook apply`: makes one revision for each file, in order, and stops at the first file that is invalid or refused.
 */
export async function applyCommand(files: readonly string[], options: ApplyArguments): Promise<void> {
  // The rules come first: an error in them must stop the command before a change file is applied.
  const examinations = await examinationsOf(options);
  if (options.follow === true) return followCommand(files, options, examinations);
  const format = readFormat(options.format, options.details === true, options.json === true);
  readWait(options.wait);
  const json = options.json === true;
  // With `--format csv` or `ndjson`, standard output has only records.
  const summarise = format === "table" ? print : async (text: string) => say(text);
  await withExistingStore(options.database, async ({ store }) => {
    for (const file of files) {
      const details = options.details === true ? new Details(format) : undefined;
      const end = async (outcome: Outcome, result?: ApplyResult, message?: string) => {
        if (result !== undefined) {
          await summarise(summary(result));
          noteAlike(result.alike);
          const tokens = result.endingTokens.length;
          if (tokens > 0) say(`Tokens of members who leave, deleted with them: ${tokens}.`);
          details?.addTokens(result.endingTokens);
          await details?.print();
        }
        if (json) await print(JSON.stringify(outcomeOf(file, outcome, options, result, message)));
      };
      try {
        const result = await apply(store, file, options, details, examinations?.());
        await end(result.changed ? "changed" : "unchanged", result);
        say(said(file, result, options.dryRun === true));
      } catch (error) {
        if (error instanceof RefusedChange) await end("refused", error.result, error.message);
        else if (error instanceof NotVisibleError) await end("committed", undefined, error.message);
        else await end("failed", undefined, error instanceof Error ? error.message : String(error));
        throw error;
      } finally {
        details?.close();
      }
    }
  });
}

/** The outcome that `--json` prints. */
type Outcome = "changed" | "unchanged" | "refused" | "failed" | "committed";

async function apply(
  store: Store,
  file: string,
  options: ApplyArguments,
  details: Details | undefined,
  examination: RulesExamination | undefined,
): Promise<ApplyResult> {
  const { engine } = store;
  const progress = new ImportProgress([file], process.stderr);
  let bytes = 0;
  try {
    const change = await readChange(file, options.complete === true, (more) =>
      progress.report({ phase: "reading", bytes: (bytes += more) }),
    );
    return await applyChange(engine, change, {
      dryRun: options.dryRun ?? false,
      allowRemovals: options.allowRemovals ?? false,
      note: options.note,
      examination,
      patience: readWait(options.wait),
      waiting: () => progress.report({ phase: "waiting" }),
      ...(details === undefined ? {} : { details: (page) => details.add(page) }),
    });
  } finally {
    progress.end();
  }
}

function summary({ organization, title, kinds }: ApplyResult): string {
  const rows = RECORD_KINDS.map((kind) => {
    const { added, changed, removed, unchanged } = kinds[kind];
    return [kind, added, changed, removed, unchanged];
  });
  const head = ["kind", "added", "changed", "removed", "unchanged"];
  return `${organization} (${oneLine(title)})\n${table(head, rows)}`;
}

function said(file: string, { changed, repeated, revision }: ApplyResult, dry: boolean): string {
  const name = nameOf(file);
  if (repeated) return `${name} was applied before, as revision ${revision}; nothing was changed.`;
  if (!changed) return `${name} changes nothing; no new revision was made.`;
  if (dry) return "This was a dry run; nothing was changed.";
  return `${name} made revision ${revision}.`;
}

function outcomeOf(
  file: string,
  outcome: Outcome,
  { dryRun = false }: ApplyArguments,
  result: ApplyResult | undefined,
  message: string | undefined,
) {
  const organizations =
    result === undefined ? [] : [{ organization: result.organization, kinds: result.kinds }];
  const { revision, repeated, endingTokens } = result ?? {};
  return {
    file: nameOf(file),
    outcome,
    dryRun,
    revision,
    repeated,
    organizations,
    endingTokens: endingTokens?.length,
    message,
  };
}
