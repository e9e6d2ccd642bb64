/** `rolebook check`: checks the rules of a file, and prints their breaches and exceptions as a table, CSV or NDJSON. */
import { UsageError } from "../../domain/error.ts";
import { oneLine } from "../../domain/text.ts";
import { csvLines } from "../../operations/csv.ts";
import { type BreachLine, breachLines, whatOf, whoOf } from "../../review/breaches.ts";
import { type RuleVerdict, evaluate } from "../../review/check.ts";
import { resolveRules } from "../../review/resolve.ts";
import { type Exception, type AccessRule, whatWords, whoWords } from "../../review/rule.ts";
import type { Reader } from "../../store/engine/engine.ts";
import type { Revision } from "../../store/reading.ts";
import { readConsistently } from "../../store/revisions/consistent-read.ts";
import type { RuleResult } from "../../store/rule-results.ts";
import { chooseOrganization, withExistingStore } from "../database.ts";
import type { CommandOptions } from "../command-table.ts";
import { bothGiven, readAt, readNumber } from "../options.ts";
import { type Format, formatOf } from "../output.ts";
import { StatusLine, say, table, write } from "../terminal.ts";
import { dayOf, rulesIn } from "./rules-file.ts";
import { keepResults } from "./writing.ts";

export interface Checked {
  readonly verdict: RuleVerdict;
  readonly lines: readonly BreachLine[];
}

export function checkText(format: Format, checked: readonly Checked[]): string {
  switch (format) {
    case "table":
      return tables(checked);
    case "csv":
      return csvLines([[...COLUMNS], ...checked.flatMap(rowsOf)]);
    case "ndjson":
      return checked
        .flatMap(objectsOf)
        .map((object) => `${JSON.stringify(object)}\n`)
        .join("");
  }
}

function tables(checked: readonly Checked[]): string {
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
  const rules = checked.map(({ verdict: { resolved, contents, breaches } }) => [
    breaches === 0 ? "kept" : "broken",
    breaches,
    contents,
    resolved.rule.words,
  ]);
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

const COLUMNS = [
  ["object", "rule", "kind", "content", "title", "user", "name", "role", "count", "reason"],
  ["who", "what", "until", "state"],
].flat();

function rowsOf({ verdict, lines }: Checked): string[][] {
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

function objectsOf({ verdict, lines }: Checked): object[] {
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
 * `rolebook check RULES`: prints the breaches of rules. The exit status is 1 if there is one. Throws a UsageError for
 * rules that cannot be checked.
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
    const check = async (revision: Revision, reader: Reader): Promise<Checked[]> => {
      number = revision.revision;
      const reading = store.reading(revision, reader);
      const resolved = await resolveRules(reading, rules, dayOf(at?.when, revision));
      if (resolved.unresolved.length > 0) throw unresolved(file, resolved.unresolved);
      const verdicts = await evaluate(reading, resolved, limit, (contents) =>
        line.show(() => `Checked ${contents.toLocaleString("en")} contents`),
      );
      const found: Checked[] = [];
      for (const verdict of verdicts) found.push({ verdict, lines: await breachLines(reading, verdict) });
      return found;
    };
    const checked = await readConsistently(store, organization, check, at).finally(() => line.end());
    if (options.record === true) await keepResults(store, organization, number, checked.map(recordedOf));
    await write(checkText(format, checked));
    const broken = checked.filter(({ verdict }) => verdict.breaches > 0);
    say(summaryOf(rules.length, broken));
    if (broken.length > 0) process.exitCode = 1;
  });
}

function recordedOf({ verdict: { resolved, breaches } }: Checked): RuleResult {
  const { words, definition } = resolved.rule;
  return { rule: words, breaches, definition };
}

function unresolved(
  file: string,
  rules: readonly { readonly rule: AccessRule; readonly problem: string }[],
): UsageError {
  const lines = rules.map(
    ({ rule, problem }) =>
      `${file}, line ${rule.line}: ${JSON.stringify(rule.words)} cannot be checked: ${problem}`,
  );
  return new UsageError(lines.join("\n"));
}

function summaryOf(rules: number, broken: readonly Checked[]): string {
  const kept = rules - broken.length;
  if (broken.length === 0) return `${rules === 1 ? "The rule is" : `All ${rules} rules are`} kept.`;
  const breaches = broken.reduce((sum, { verdict }) => sum + verdict.breaches, 0);
  const listed = broken.reduce((sum, { lines }) => sum + lines.length, 0);
  const more = listed < breaches ? ` ${listed.toLocaleString("en")} are listed; --limit lists more.` : "";
  const places = breaches === 1 ? "1 breach" : `${breaches.toLocaleString("en")} breaches`;
  return `${broken.length} of ${rules} rules broken, ${kept} kept: ${places}.${more}`;
}
