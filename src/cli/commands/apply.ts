/** `rolebook apply`: applies change files, one revision per file or, with `--follow`, one per batch of a stream. */
import { UsageError } from "../../domain/error.ts";
import { type ApplyResult, RefusedChange, applyChange } from "../../snapshot/changes/apply.ts";
import { type BatchAnswer, follow } from "../../snapshot/changes/follow.ts";
import { readChange } from "../../snapshot/changes/read.ts";
import { inputName } from "../../snapshot/read.ts";
import type { Store } from "../../store/store.ts";
import { withExistingStore } from "../database.ts";
import type { CommandOptions } from "../command-table.ts";
import { bothGiven, notAccepted, readWait } from "../options.ts";
import type { RowsOutput } from "../output.ts";
import { interruptible, print, say } from "../terminal.ts";
import {
  DIFFERENCES,
  ImportProgress,
  type WritingOutcome,
  type RulesExamination,
  examinationsOf,
  noteAlike,
  readFormat,
  summaryOf,
  told,
} from "./writing.ts";

/** `rolebook apply --follow -`: applies each batch when its end record arrives, and prints a line of JSON for it. */
export async function followCommand(
  files: readonly string[],
  options: CommandOptions<"apply">,
  examinations: (() => RulesExamination) | undefined,
): Promise<void> {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) {
    throw new UsageError(`--follow reads one stream, but ${files.length} files are given; accepted: -.`);
  }
  for (const name of ["details", "complete"] as const) {
    if (options[name] === undefined) continue;
    throw bothGiven(`--${name}`, "--follow");
  }
  if (options.format !== undefined && options.format !== "ndjson")
    throw notAccepted("--format", options.format, "ndjson with --follow");
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
export async function applyCommand(
  files: readonly string[],
  options: CommandOptions<"apply">,
): Promise<void> {
  // The rules come first: an error in them must stop the command before a change file is applied.
  const examinations = await examinationsOf(options);
  if (options.follow === true) return followCommand(files, options, examinations);
  readFormat(options);
  readWait(options.wait);
  const { dryRun = false } = options;
  const applied: string[] = [];
  const interrupted = () =>
    [
      `Interrupted; all of ${files[applied.length]} is applied, or nothing of it; rolebook revisions says which.`,
      ...applied.map((said) => `Before that: ${said}`),
    ].join("\n");
  const applying = () =>
    withExistingStore(options.database, async ({ store }) => {
      for (const file of files) {
        const telling = {
          summaries: (result: ApplyResult) => [
            summaryOf(result, ["added", "changed", "removed", "unchanged"]),
          ],
          refused: (error: unknown) => (error instanceof RefusedChange ? error.result : undefined),
          json: (outcome: WritingOutcome, result?: ApplyResult, message?: string) =>
            outcomeOf(file, outcome, dryRun, result, message),
        };
        const result = await told(options, telling, (details) =>
          apply(store, file, options, details, examinations?.()),
        );
        applied.push(said(file, result, dryRun));
        say(applied.at(-1) ?? "");
      }
    });
  await interruptible(interrupted, applying);
}

async function apply(
  store: Store,
  file: string,
  options: CommandOptions<"apply">,
  details: RowsOutput | undefined,
  examination: RulesExamination | undefined,
): Promise<ApplyResult> {
  const { engine } = store;
  using progress = new ImportProgress([file], process.stderr);
  let bytes = 0;
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
    ...(details === undefined ? {} : { details: (page) => details.add(DIFFERENCES, page) }),
  });
}

function said(file: string, { changed, repeated, revision }: ApplyResult, dry: boolean): string {
  const name = inputName(file);
  if (repeated) return `${name} was applied before, as revision ${revision}; nothing was changed.`;
  if (!changed) return `${name} changes nothing; no new revision was made.`;
  if (dry) return "This was a dry run; nothing was changed.";
  return `${name} made revision ${revision}.`;
}

function outcomeOf(
  file: string,
  outcome: WritingOutcome,
  dryRun: boolean,
  result: ApplyResult | undefined,
  message: string | undefined,
) {
  const organizations =
    result === undefined ? [] : [{ organization: result.organization, kinds: result.kinds }];
  const { revision, repeated, endingTokens } = result ?? {};
  return {
    file: inputName(file),
    outcome,
    dryRun,
    revision,
    repeated,
    organizations,
    endingTokens: endingTokens?.length,
    message,
  };
}
