/** The result of `rolebook check` as a table, CSV or NDJSON. */
import { oneLine } from "../../domain/text.ts";
import type { Verdict } from "../../review/check/evaluate.ts";
import type { BreachLine } from "../../review/check/lines.ts";
import { type Exception, type Rule, whatWords, whoWords } from "../../review/rules/rule.ts";
import { csvLines } from "../../operations/csv.ts";
import type { Format } from "./list-output.ts";
import { table } from "./table.ts";

export interface Checked {
  readonly verdict: Verdict;
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

/** For the table: the member who breaks a rule, or how many members do. */
export function whoOf({ users: [first], count }: BreachLine): string {
  if (count !== undefined) return count === 1 ? "1 member" : `${count.toLocaleString("en")} members`;
  return first === undefined ? "" : `${first.displayName} (${first.id})`;
}

/** For the table: where a rule is broken. */
export function whatOf({ content }: BreachLine): string {
  return content === undefined ? "organization" : `${content.title} (${content.kind}/${content.id})`;
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

function resultOf({ words }: Rule, { contents, breaches }: Verdict, listed: number): object {
  return {
    object: "rule",
    rule: words,
    result: breaches === 0 ? "kept" : "broken",
    contents,
    breaches,
    listed,
  };
}
