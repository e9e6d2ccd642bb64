/** Reads the rules file (YAML). A problem names its line, the value, and what is accepted. */
import { isMap, LineCounter, parseDocument } from "yaml";
import { UsageError } from "../../domain/error.ts";
import { fieldsOf, listOf, oneLineOf, type ValuePath, Problem, shown } from "./fields.ts";
import { howOf, whatOf, whoOf } from "./parts.ts";
import { type Exception, lowest, type Rule, RULE_ROLES } from "./rule.ts";

/** The most problems that are reported. */
const TOLD = 20;

const RULE_FIELDS = ["rule", "who", "what", "how", "role", "from", "to", "permissions", "except"] as const;
const EXCEPTION_FIELDS = ["who", "what", "until", "reason"] as const;

/** Throws a UsageError that names `file` and, for each problem, its line. */
export function readRules(text: string, file: string): Rule[] {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ""), { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new UsageError(`${file}, line ${lineAt(broken.pos[0])}: this is not YAML: ${broken.message}.`);
  }
  const problems: string[] = [];
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const line = lineOf(error.path);
      problems.push(`${file}${line === undefined ? "" : `, line ${line}`}: ${error.message}.`);
      return undefined;
    }
  };
  const lineOf = (path: ValuePath): number | undefined => {
    for (let rest = [...path]; rest.length > 0; rest.pop()) {
      const node: unknown = document.getIn(rest, true);
      const range = nodeRange(node);
      if (range !== undefined) return lineAt(range);
    }
    return isMap(document.contents) ? 1 : undefined;
  };
  const rules =
    attempt(() => {
      const { rules } = fieldsOf(valueOf(document), [], "the file", ["rules"]);
      return listOf(rules, ["rules"], "rules");
    }) ?? [];
  const read = rules.flatMap((value, index) => {
    const path = ["rules", index];
    return attempt(() => ruleIn(value, path, lineOf(path) ?? 1)) ?? [];
  });
  for (const [index, { words }] of read.entries()) {
    if (problems.length > 0 || read.findIndex((rule) => rule.words === words) === index) continue;
    attempt(() => {
      throw new Problem(["rules", index, "rule"], `the rule ${JSON.stringify(words)} occurs twice`);
    });
  }
  if (problems.length === 0) return read;
  const more = problems.length > TOLD ? [`And ${problems.length - TOLD} more.`] : [];
  throw new UsageError([...problems.slice(0, TOLD), ...more].join("\n"));
}

/** The rule with a {@link Rule.definition}. */
export function ruleOf(definition: string): Rule {
  const [rule] = readRules(`{"rules":[${definition}]}`, "the recorded rule");
  if (rule === undefined) throw new Error("A recorded rule has no definition.");
  return rule;
}

/** A YAML document as plain values. Throws a Problem if its aliases would expand without limit. */
function valueOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new Problem(
      [],
      `this is not usable YAML: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function nodeRange(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("range" in node) || !Array.isArray(node.range))
    return undefined;
  const [start]: unknown[] = node.range;
  return typeof start === "number" ? start : undefined;
}

function ruleIn(value: unknown, path: ValuePath, line: number): Rule {
  const fields = fieldsOf(value, path, "a rule", RULE_FIELDS);
  const at = (name: string) => [...path, name];
  const words = oneLineOf(fields.rule, at("rule"), "rule");
  const who = fields.who === undefined ? ({ kind: "everybody" } as const) : whoOf(fields.who, at("who"));
  const what = fields.what === "organization" ? fields.what : whatOf(fields.what, at("what"));
  const how = howOf(fields.how, at("how"));
  const direct = fields.permissions !== undefined;
  if (direct && (fields.permissions !== "direct" || what === "organization")) {
    const accepted = what === "organization" ? "no permissions if what is organization" : "direct";
    throw new Problem(
      at("permissions"),
      `permissions is ${shown(fields.permissions)}; accepted: ${accepted}`,
    );
  }
  const range = rangeOf(fields, path, lowest(what));
  const exceptions =
    fields.except === undefined
      ? []
      : listOf(fields.except, at("except"), "except").map((each, index) =>
          exceptionOf(each, [...path, "except", index], { what, how }),
        );
  return { words, line, definition: JSON.stringify(value), who, what, how, ...range, direct, exceptions };
}

function rangeOf(
  { role, from, to }: Partial<Record<"role" | "from" | "to", unknown>>,
  path: ValuePath,
  least: number,
): Pick<Rule, "from" | "to"> {
  const rankOf = (name: string, value: unknown, otherwise: number) => {
    if (value === undefined) return otherwise;
    const rank = RULE_ROLES.findIndex((each) => each === value);
    if (rank >= least) return rank;
    const accepted = RULE_ROLES.slice(least).join(", ");
    throw new Problem([...path, name], `${name} is ${shown(value)}; accepted: ${accepted}`);
  };
  if (role !== undefined) {
    if (from !== undefined || to !== undefined) {
      throw new Problem(
        [...path, "role"],
        "role is given with from or to; accepted: role alone, or from and to",
      );
    }
    const rank = rankOf("role", role, least);
    return { from: rank, to: rank };
  }
  const range = { from: rankOf("from", from, least), to: rankOf("to", to, RULE_ROLES.length - 1) };
  if (range.from <= range.to) return range;
  throw new Problem(
    [...path, "from"],
    `from is ${String(from)}, above to, ${String(to)}; accepted: from up to to`,
  );
}

function exceptionOf(value: unknown, path: ValuePath, { what, how }: Pick<Rule, "what" | "how">): Exception {
  const fields = fieldsOf(value, path, "an exception", EXCEPTION_FIELDS);
  const at = (name: string) => [...path, name];
  if (fields.who === undefined && fields.what === undefined) {
    throw new Problem(path, "an exception has neither who nor what; accepted: one of them, or both");
  }
  if (fields.who !== undefined && how.kind === "at least") {
    throw new Problem(at("who"), "an exception to at least has who; accepted: what alone");
  }
  if (fields.what !== undefined && what === "organization") {
    throw new Problem(at("what"), "an exception to a rule on the organization has what; accepted: who alone");
  }
  const { until } = fields;
  if (typeof until !== "string" || !isDay(until)) {
    throw new Problem(at("until"), `until is ${shown(until)}; accepted: the last day, such as 2026-12-31`);
  }
  return {
    ...(fields.who === undefined ? {} : { who: whoOf(fields.who, at("who")) }),
    ...(fields.what === undefined ? {} : { what: whatOf(fields.what, at("what")) }),
    until,
    reason: oneLineOf(fields.reason, at("reason"), "reason"),
  };
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
