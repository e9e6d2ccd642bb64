/** `rolebook check`: checks the rules of a file, and prints their breaches and exceptions as a table, CSV or NDJSON. */
import { UsageError } from "../../domain/error.ts";
import { oneLine } from "../../domain/text.ts";
import { csvLines } from "../../operations/csv.ts";
import { type BreachLine, breachLines, whatOf, whoOf } from "../../review/breaches.ts";
import { type RuleVerdict, evaluate } from "../../review/check.ts";
import { type UnresolvedRule, resolveRules } from "../../review/resolve.ts";
import { type AccessRule, type Exception, goneNote, whatWords, whoWords } from "../../review/rule.ts";
import type { Reader } from "../../store/engine/engine.ts";
import { modelOf } from "../../store/models.ts";
import type { Revision } from "../../store/reading.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import type { RuleResult } from "../../store/rule-results.ts";
import { workInTurns } from "../../store/turns.ts";
import { chooseOrganization, withExistingStore } from "../database.ts";
import type { CommandOptions } from "../command-table.ts";
import { bothGiven, readAt, readNumber } from "../options.ts";
import { type Format, formatOf } from "../output.ts";
import { StatusLine, say, table, write } from "../terminal.ts";
import { dayOf, rulesIn } from "./rules-file.ts";
import { keepResults } from "./writing.ts";

interface Checked {
  readonly verdict: RuleVerdict;
  readonly lines: readonly BreachLine[];
}

/** The results of rules, in the order of their file. */
type Result = Checked | UnresolvedRule;

function isChecked(result: Result): result is Checked {
  return "verdict" in result;
}

function checkText(format: Format, results: readonly Result[]): string {
  switch (format) {
    case "table":
      return tables(results);
    case "csv":
      return csvLines([[...COLUMNS], ...results.flatMap(rowsOf)]);
    case "ndjson":
      return results
        .flatMap(objectsOf)
        .map((object) => `${JSON.stringify(object)}\n`)
        .join("");
  }
}

function tables(results: readonly Result[]): string {
  const checked = results.filter(isChecked);
  const breaches = checked.flatMap(({ lines }) =>
    lines.map((line) => [line.rule, whoOf(line), whatOf(line), line.role, line.reason]),
  );
  const exceptions = checked.flatMap(({ verdict }) =>
    verdict.exceptions.map(({ exception, state, excused }) => [
      verdict.resolved.rule.words,
      coverOf(exception),
      exception.until,
      exception.reason,
      state,
      excused,
    ]),
  );
  const rules = results.map((result) => {
    if (!isChecked(result)) return [UNCHECKED, "", "", result.rule.words];
    const { resolved, contents, breaches } = result.verdict;
    return [breaches === 0 ? "kept" : "broken", breaches, contents, resolved.rule.words];
  });
  const parts = [
    ...(breaches.length === 0 ? [] : [table(["rule", "who", "what", "role", "reason"], breaches)]),
    ...(exceptions.length === 0
      ? []
      : [table(["rule", "exception", "until", "reason", "state", "excused"], exceptions)]),
    table(["result", "breaches", "contents", "rule"], rules),
  ];
  return `${parts.join("\n\n")}\n`;
}

function coverOf({ who, what }: Exception): string {
  const people = who === undefined ? "everybody" : whoWords(who);
  return what === undefined ? people : `${people} on ${whatWords(what)}`;
}

const UNCHECKED = "cannot be checked";

const COLUMNS = [
  ["object", "rule", "kind", "content", "title", "user", "name", "role", "count", "reason"],
  ["who", "what", "until", "state"],
].flat();

function rowsOf(result: Result): string[][] {
  if (!isChecked(result)) {
    const { rule, problem } = result;
    return [
      [UNCHECKED, rule.words, ...COLUMNS.slice(2).map((column) => (column === "reason" ? problem : ""))],
    ];
  }
  const { verdict, lines } = result;
  const { words } = verdict.resolved.rule;
  return [
    ...lines.map(({ content, users: [first], count, role, reason }) => [
      "breach",
      words,
      ...(content === undefined
        ? ["organization", "", ""]
        : [content.kind, content.id, oneLine(content.title)]),
      ...(count === undefined ? [first?.id ?? "", oneLine(first?.displayName ?? "")] : ["", ""]),
      role,
      count === undefined ? "" : String(count),
      reason,
      "",
      "",
      "",
      "",
    ]),
    ...verdict.exceptions.map(({ exception: { who, what, until, reason }, state, excused }) => [
      "exception",
      words,
      "",
      "",
      "",
      "",
      "",
      "",
      String(excused),
      reason,
      who === undefined ? "" : whoWords(who),
      what === undefined ? "" : whatWords(what),
      until,
      state,
    ]),
  ];
}

function objectsOf(result: Result): object[] {
  if (!isChecked(result))
    return [{ object: "rule", rule: result.rule.words, result: UNCHECKED, reason: result.problem }];
  const { verdict, lines } = result;
  const { rule } = verdict.resolved;
  return [
    ...lines.map((line) => ({ object: "breach", ...line, content: line.content ?? null })),
    ...verdict.exceptions.map(({ exception: { who, what, until, reason }, state, excused }) => ({
      object: "exception",
      rule: rule.words,
      who: who === undefined ? undefined : whoWords(who),
      what: what === undefined ? undefined : whatWords(what),
      until,
      reason,
      state,
      excused,
    })),
    resultOf(rule, verdict, lines.length),
  ];
}

function resultOf({ words }: AccessRule, { contents, breaches }: RuleVerdict, listed: number): object {
  return {
    object: "rule",
    rule: words,
    result: breaches === 0 ? "kept" : "broken",
    contents,
    breaches,
    listed,
  };
}

const MOST_LISTED = 100_000;

/**
 * `rolebook check RULES`: prints the breaches of rules. The exit status is 1 unless all rules are kept. Throws a
 * UsageError for misspelt rules.
 */
export async function checkCommand(file: string, options: CommandOptions<"check">): Promise<void> {
  const format = formatOf(options.format);
  const limit = readNumber("--limit", options.limit, MOST_LISTED);
  const at = readAt(options.at);
  if (options.record === true && at !== undefined) {
    throw bothGiven("--record", "--at");
  }
  const rules = await rulesIn(file);
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(
      store,
      options.organization,
      options.record === true ? "ids" : "names",
    );
    const line = new StatusLine();
    let number = 0;
    const check = async (revision: Revision, reader: Reader): Promise<Result[]> => {
      number = revision.revision;
      const reading = store.reading(revision, reader);
      const model = await modelOf(reading);
      const { resolved, unresolved } = await resolveRules(reading, model, rules, dayOf(at?.when, revision));
      const misspelt = unresolved.filter(({ isMisspelt }) => isMisspelt);
      if (misspelt.length > 0) throw notCheckable(file, misspelt);
      const checking = evaluate(model, resolved, limit, (contents) =>
        line.show(() => `Checked ${contents.toLocaleString("en")} contents`),
      );
      const found = new Map<AccessRule, Result>(unresolved.map((each) => [each.rule, each]));
      for (const verdict of await workInTurns(checking)) {
        const lines = await workInTurns(breachLines(model, verdict));
        found.set(verdict.resolved.rule, { verdict, lines });
      }
      return rules.flatMap((rule) => found.get(rule) ?? []);
    };
    const results = await readConsistently(store, organization, check, at).finally(() => line.end());
    if (options.record === true) await keepResults(store, organization, number, results.map(recordedOf));
    await write(checkText(format, results));
    for (const note of results.flatMap((result) => noteOf(result) ?? [])) say(note);
    const checked = results.filter(isChecked);
    const broken = checked.filter(({ verdict }) => verdict.breaches > 0);
    const kept = checked.length - broken.length;
    say(summaryOf({ rules: rules.length, kept }, broken));
    if (kept < rules.length) process.exitCode = 1;
  });
}

function recordedOf(result: Result): RuleResult {
  const { words, definition } = isChecked(result) ? result.verdict.resolved.rule : result.rule;
  return { rule: words, breaches: isChecked(result) ? result.verdict.breaches : null, definition };
}

function noteOf(result: Result): string | undefined {
  if (!isChecked(result))
    return `The rule ${JSON.stringify(result.rule.words)} cannot be checked: ${result.problem}`;
  const { rule, gone } = result.verdict.resolved;
  return goneNote(rule.words, gone);
}

function notCheckable(file: string, rules: readonly UnresolvedRule[]): UsageError {
  const lines = rules.map(
    ({ rule, problem }) =>
      `${file}, line ${rule.line}: ${JSON.stringify(rule.words)} cannot be checked: ${problem}`,
  );
  return new UsageError(lines.join("\n"));
}

function summaryOf(
  { rules, kept }: { readonly rules: number; readonly kept: number },
  broken: readonly Checked[],
): string {
  const unchecked = rules - kept - broken.length;
  if (kept === rules) return `${rules === 1 ? "The rule is" : `All ${rules} rules are`} kept.`;
  const figures = `${broken.length} of ${rules} rules broken, ${kept} kept`;
  const neither = unchecked === 0 ? "" : `, ${unchecked} cannot be checked`;
  if (broken.length === 0) return `${figures}${neither}.`;
  const breaches = broken.reduce((sum, { verdict }) => sum + verdict.breaches, 0);
  const listed = broken.reduce((sum, { lines }) => sum + lines.length, 0);
  const more = listed < breaches ? ` ${listed.toLocaleString("en")} are listed; --limit lists more.` : "";
  const places = breaches === 1 ? "1 breach" : `${breaches.toLocaleString("en")} breaches`;
  return `${figures}${neither}: ${places}.${more}`;
}
