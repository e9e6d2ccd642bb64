/**
 * What `import` and `apply` have in common: their options, their progress, the rules that they check, and how they tell
 * their results: a summary, notes, the details of each record, and with `--format ndjson` a line that says how it ended.
 */
import type { WriteStream } from "node:tty";
import { CommandError, NotVisibleError, RefusedError, UsageError } from "../../domain/error.ts";
import { megabytes, oneLine, quote } from "../../domain/text.ts";
import type { RowFormat } from "../../operations/csv.ts";
import {
  type BreachStatus,
  type RuleStatus,
  isKept,
  isNewlyBroken,
  ruleStatusesOf,
  whatOf,
  whoOf,
} from "../../review/breaches.ts";
import { type AccessRule, goneNote } from "../../review/rule.ts";
import { beforeAndAfter, changedFields } from "../../snapshot/export.ts";
import type { ImportStep } from "../../snapshot/import.ts";
import { type Input, fileAt } from "../../snapshot/input.ts";
import type { Connection } from "../../store/engine/engine.ts";
import type { Token } from "../../store/revisions/registry.ts";
import { type RuleResult, keepRuleResults } from "../../store/rule-results.ts";
import { RECORD_KINDS, type RecordKind } from "../../domain/record-change.ts";
import type { Store } from "../../store/store.ts";
import type { AlikeIds } from "../../store/writing/alike.ts";
import type { Examination, Examined, RecordDifference } from "../../store/writing/organization-change.ts";
import { displayNameOf, nameOf, named } from "../../store/writing/guard.ts";
import type { CommandOptions } from "../command-table.ts";
import { type Format, RowsOutput, formatOf } from "../output.ts";
import { StatusLine, bar, print, say, table } from "../terminal.ts";

/** The options of an import; `rolebook pull --import` has some of them. */
export type ImportOptions = Partial<CommandOptions<"import">>;

/** Ids that differ only in case are allowed, but people may confuse them. */
export function noteAlike(alike: readonly AlikeIds[]): void {
  for (const { organization, kind, one, other } of alike) {
    say(
      `Note: in organization ${organization} the ${kind} ids ${quote(one)} and ${quote(other)} differ only in case; they are different ids.`,
    );
  }
}

const PHASES = {
  waiting: "Waiting for another import to end …",
  checking: "Checking …",
  comparing: "Comparing with what is stored …",
  publishing: "Publishing …",
} as const;

/** Shows the progress of an import on one line of the terminal; nothing without a terminal. */
export class ImportProgress {
  readonly #line: StatusLine;
  readonly #total: number | undefined;

  constructor(files: readonly Input[], stream: WriteStream) {
    this.#line = new StatusLine(stream);
    this.#total = sizeOf(files);
  }

  report(step: ImportStep): void {
    this.#line.show(() => this.#text(step), step.phase === "reading" || step.phase === "writing");
  }

  [Symbol.dispose](): void {
    this.#line.end();
  }

  #text(step: ImportStep): string {
    if (step.phase === "writing") return `Writing … ${step.rows.toLocaleString("en")} rows`;
    if (step.phase !== "reading") return PHASES[step.phase];
    if (this.#total === undefined) return `Reading … ${megabytes(step.bytes)} MB`;
    const part = this.#total === 0 ? 1 : Math.min(1, step.bytes / this.#total);
    return `Reading ${bar(part)} of ${megabytes(this.#total)} MB`;
  }
}

/** In bytes; `undefined` if one of the files is standard input or cannot be looked at. */
function sizeOf(files: readonly Input[]): number | undefined {
  let total = 0;
  for (const file of files) {
    const size = typeof file === "string" ? fileAt(file)?.size : undefined;
    if (size === undefined) return undefined;
    total += size;
  }
  return total;
}

const COLUMNS = {
  table: ["organization", "change", "kind", "record", "what"],
  csv: [
    ["organization", "change", "kind", "user", "user_name", "team", "team_title", "content", "content_title"],
    ["site", "site_title", "token", "token_name", "what"],
  ].flat(),
} as const;

/** The records that are added, changed and removed (`--details`). */
export const DIFFERENCES: RowFormat<RecordDifference> = {
  ...COLUMNS,
  cells: rowOf,
  record: cellsOf,
  object: objectOf,
};

/** The tokens that are deleted with their members. */
const TOKENS: RowFormat<Token> = {
  ...COLUMNS,
  cells: ({ organization, id, name, member = "" }) => [
    organization,
    "removed",
    "token",
    `${named(id, name)} of ${member}`,
    "",
  ],
  record: ({ organization, id, name, member = "" }) =>
    [
      [organization, "removed", "token", member],
      ["", "", "", "", "", "", ""],
      [id, name, ""],
    ].flat(),
  object: ({ organization, id, name, member, createdAt, expiresAt }) => {
    const before = { object: "token", id, organization, user: member, name, createdAt, expiresAt };
    return { organization, change: "removed", kind: "token", before };
  },
};

/** How an import or a change ended, for the line of `--format ndjson`. */
export type WritingOutcome = "changed" | "unchanged" | "refused" | "failed" | "committed";

interface Result {
  readonly changed: boolean;
  readonly alike: readonly AlikeIds[];
  readonly endingTokens: readonly Token[];
}

/** What a command that writes tells of a result: its summary, further notes, and how it ended. */
interface Telling<Of extends Result> {
  summaries(result: Of): readonly string[];
  notes?(result: Of, format: Format): void | Promise<void>;
  /** The result of a refusal, which is told too. */
  refused(error: unknown): Of | undefined;
  json(outcome: WritingOutcome, result?: Of, message?: string): object;
}

/**
 * Runs an import or a change, and tells its result, however it ends. Details wait in a temporary file: a slow reader of
 * the output must not prolong the work, which blocks other imports.
 */
export async function told<Of extends Result>(
  options: Pick<ImportOptions, "format" | "details">,
  { summaries, notes, refused, json }: Telling<Of>,
  work: (details: RowsOutput | undefined) => Promise<Of>,
): Promise<Of> {
  const format = readFormat(options);
  using details = options.details === true ? new RowsOutput(format, sayMoreRecords) : undefined;
  details?.add(DIFFERENCES, []);
  // With `--format csv` or `ndjson`, standard output has only records.
  const summarise = format === "table" ? print : async (text: string) => say(text);
  const end = async (outcome: WritingOutcome, result?: Of, message?: string) => {
    if (result !== undefined) {
      for (const text of summaries(result)) await summarise(text);
      await notes?.(result, format);
      noteAlike(result.alike);
      const tokens = result.endingTokens.length;
      if (tokens > 0) say(`Tokens of members who leave, deleted with them: ${tokens}.`);
      details?.add(TOKENS, result.endingTokens, Infinity);
      await details?.print();
    }
    if (format === "ndjson") await print(JSON.stringify(json(outcome, result, message)));
  };
  try {
    const result = await work(details);
    await end(result.changed ? "changed" : "unchanged", result);
    return result;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const result = refused(error);
    if (result !== undefined) await end("refused", result, message);
    else await end(error instanceof NotVisibleError ? "committed" : "failed", undefined, message);
    throw error;
  }
}

function sayMoreRecords(records: number): void {
  say(`… and ${records} more records; --format csv or --format ndjson lists them all.`);
}

/** How many records of each kind are added, changed and so on, as a table. */
export function summaryOf<Count extends string>(
  { organization, title, kinds }: Summarised<Count>,
  counts: readonly Count[],
): string {
  const rows = RECORD_KINDS.map((kind) => [kind, ...counts.map((count) => kinds[kind][count])]);
  return `${organization} (${oneLine(title)})\n${table(["kind", ...counts], rows)}`;
}

interface Summarised<Count extends string> {
  readonly organization: string;
  readonly title: string;
  readonly kinds: Readonly<Record<RecordKind, Readonly<Record<Count, number>>>>;
}

/** Throws a UsageError for an unknown format, and for CSV without `--details`. */
export function readFormat({ format: value, details }: Pick<ImportOptions, "format" | "details">): Format {
  const format = formatOf(value);
  if (format !== "csv" || details === true) return format;
  throw new UsageError("--format csv is given without --details; accepted: both.");
}

function changeOf({ was, becomes }: RecordDifference): string {
  if (was === undefined) return "added";
  return becomes === undefined ? "removed" : "changed";
}

function changesOf(difference: RecordDifference): string {
  return changedFields(beforeAndAfter(difference)).join("; ");
}

function rowOf(difference: RecordDifference): string[] {
  const { organization, kind } = difference;
  return [organization, changeOf(difference), kind, nameOf(difference), changesOf(difference)];
}

function cellsOf(difference: RecordDifference): string[] {
  const { organization, kind, member, user, team, teamTitle } = difference;
  const { content, contentTitle, site, siteTitle } = difference;
  const people = [member, displayNameOf(user), team, teamTitle];
  const things = [content, contentTitle, site, siteTitle, undefined, undefined];
  const cells = [organization, changeOf(difference), kind, ...people, ...things, changesOf(difference)];
  return cells.map((cell) => cell ?? "");
}

function objectOf(difference: RecordDifference): object {
  const { organization, kind } = difference;
  return { organization, change: changeOf(difference), kind, ...beforeAndAfter(difference) };
}

type RulesOptions = Pick<ImportOptions, "rules" | "enforce" | "dryRun">;

/** The rules to check during one import; `undefined` without `--rules`. */
export async function examinationOf(options: RulesOptions): Promise<RulesExamination | undefined> {
  return (await examinationsOf(options))?.();
}

/** Makes an examination for each of several changes; `undefined` without `--rules`. */
export async function examinationsOf({
  rules,
  enforce = false,
  dryRun = false,
}: RulesOptions): Promise<(() => RulesExamination) | undefined> {
  if (rules !== undefined) {
    // Loaded here because it needs the YAML parser, and most imports have no rules.
    const { rulesIn } = await import("./rules-file.ts");
    const read = await rulesIn(rules);
    return () => new RulesExamination(read, enforce, dryRun);
  }
  if (enforce) throw new UsageError("--enforce is given without --rules; accepted: both, or neither.");
  return undefined;
}

/**
 * Reports the rules that an import or a change would newly break; with `--enforce`, refuses it. The results are stored
 * in the transaction that publishes the revision; metrics and the explorer show them.
 */
export class RulesExamination implements Examination {
  readonly #rules: readonly AccessRule[];
  readonly #enforce: boolean;
  readonly isRehearsal: boolean;
  #organization: string | undefined;
  #statuses: readonly RuleStatus[] = [];

  constructor(rules: readonly AccessRule[], enforce: boolean, isRehearsal: boolean) {
    this.isRehearsal = isRehearsal;
    this.#rules = rules;
    this.#enforce = enforce;
  }

  readonly examine = async ({ organization, ...states }: Examined): Promise<void> => {
    if (this.#organization !== undefined) {
      throw new CommandError("--rules takes one organization at a time; nothing was changed.");
    }
    this.#organization = organization;
    // In UTC, like the days on which exceptions end.
    const today = new Date().toISOString().slice(0, 10);
    this.#statuses = await ruleStatusesOf(this.#rules, states, today);
    const broken = this.#statuses.filter(isNewlyBroken);
    for (const status of this.#statuses) for (const line of linesOf(status)) say(line);
    if (broken.length === 0 || !this.#enforce) return;
    const rules = broken.length === 1 ? "a rule" : `${broken.length} rules`;
    throw new RefusedError(`Refused by --enforce: this would break ${rules}. Nothing was changed.`);
  };

  /** The text of each newly broken rule. */
  get broken(): readonly string[] {
    return this.#statuses.filter(isNewlyBroken).map(({ rule }) => rule.words);
  }

  readonly record = async (connection: Connection, organization: string, revision: number): Promise<void> => {
    if (organization !== this.#organization) return;
    const results = this.#statuses.map(({ rule, after }) => resultOf(rule, after));
    const checkedAt = new Date().toISOString();
    await keepRuleResults(connection, organization, { revision, checkedAt, results });
  };
}

/** Stores the results of a check of the current revision. */
export async function keepResults(
  store: Store,
  organization: string,
  revision: number,
  results: readonly RuleResult[],
): Promise<void> {
  const checkedAt = new Date().toISOString();
  await store.engine.transaction((connection) =>
    keepRuleResults(connection, organization, { revision, checkedAt, results }),
  );
}

function resultOf({ words, definition }: AccessRule, status: BreachStatus): RuleResult {
  if (!("problem" in status)) return { rule: words, breaches: status.breaches, definition };
  // With its definition, a misspelt name would be known next time.
  return { rule: words, breaches: null, ...(status.isMisspelt ? {} : { definition }) };
}

function linesOf(status: RuleStatus): string[] {
  const { rule, before, after, first } = status;
  const words = JSON.stringify(rule.words);
  if ("problem" in after) return [`The rule ${words} cannot be checked: ${after.problem}`];
  const note = goneNote(rule.words, after.gone);
  const notes = note === undefined ? [] : [note];
  if (!isNewlyBroken(status)) return notes;
  const kept = before !== undefined && isKept(before) ? ", which was kept" : "";
  const more = after.breaches - first.length;
  return [
    ...notes,
    `This breaks the rule ${words}${kept}; breaches: ${after.breaches.toLocaleString("en")}`,
    ...first.map((line) => `  ${whoOf(line)}: ${line.role} on ${whatOf(line)}, ${line.reason}`),
    ...(more > 0 ? [`  and ${more.toLocaleString("en")} more`] : []),
  ];
}
