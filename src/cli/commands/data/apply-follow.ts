import { UsageError } from "../../../domain/error.ts";
import { type BatchAnswer, follow } from "../../../snapshot/changes/follow.ts";
import type { ApplyArguments } from "./writing-arguments.ts";
import type { RulesExamination } from "./examine-rules.ts";
import { print, say, withExistingStore } from "../../context.ts";
import { noteAlike } from "../../output/alike-note.ts";
import { readWait } from "../../options.ts";

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
    throw new UsageError(`--${name} and --follow are both given; accepted: one of them.`);
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
