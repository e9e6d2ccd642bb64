/** Reads the rules file (YAML). A problem names its line, the value, and what is accepted. */
import { isObject } from "../domain/json.ts";
import { LineCounter, isMap, parseDocument, visit } from "yaml";
import { isDay } from "../domain/date.ts";
import { UsageError } from "../domain/error.ts";
import { ID } from "../domain/id.ts";
import { ROLES, isRole } from "../domain/role.ts";
import { quote } from "../domain/text.ts";
import {
  type Exception,
  type How,
  LONGEST,
  RULE_ROLES,
  type AccessRule,
  type What,
  type Who,
  lowest,
} from "./rule.ts";

/** Field names and list indexes, from the top of the file. */
export type ValuePath = readonly (string | number)[];

export class RulesProblem extends Error {
  override readonly name = "Problem";
  readonly path: ValuePath;

  constructor(path: ValuePath, message: string) {
    super(message);
    this.path = path;
  }
}

export function shown(value: unknown): string {
  if (value === undefined) return "missing";
  return typeof value === "string" ? quote(value) : (JSON.stringify(value)?.slice(0, 100) ?? String(value));
}

/** Throws a Problem for an unknown field. */
export function fieldsOf<Name extends string>(
  value: unknown,
  path: ValuePath,
  what: string,
  names: readonly Name[],
): Partial<Record<Name, unknown>> {
  if (!isObject(value))
    throw new RulesProblem(path, `${what} is ${shown(value)}; accepted: ${names.join(", ")}`);
  const fields: Partial<Record<Name, unknown>> = {};
  for (const [given, inner] of Object.entries(value)) {
    const name = names.find((each) => each === given);
    if (name === undefined) {
      throw new RulesProblem([...path, given], `${what} has ${quote(given)}; accepted: ${names.join(", ")}`);
    }
    fields[name] = inner;
  }
  return fields;
}

/** Throws a Problem unless the value is a list with at least one entry. */
export function listOf(value: unknown, path: ValuePath, name: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new RulesProblem(path, `${name} is ${shown(value)}; accepted: a list with at least one entry`);
}

/** Throws a Problem unless the value is a text on one line, not blank and not longer than {@link LONGEST}. */
export function oneLineOf(value: unknown, path: ValuePath, name: string): string {
  if (typeof value === "string" && value.isWellFormed() && /^(?! *$)[^\p{Cc}]+$/u.test(value)) {
    if (value.length <= LONGEST) return value;
  }
  throw new RulesProblem(
    path,
    `${name} is ${shown(value)}; accepted: one line of 1 to ${LONGEST} characters`,
  );
}

const WHO = "everybody, guests, or one of team, user, role, everybody but, all of, or a list of such";
const WHAT = "everything, sites, or one of space, collection, below, site, everything but, or a list of such";
const HOW = "none, only, all, or one of at least, at most with a number";
/** The deepest nesting of lists. */
const DEEPEST_RULE = 50;

/** Reads members. A list means the members whom at least one of its entries names. */
export function whoOf(value: unknown, path: ValuePath): Who {
  if (value === "everybody" || value === "guests") return { kind: value };
  if (Array.isArray(value)) return anyOf(value, path, "who", whoOf);
  const [name, inner, at] = onlyField(value, path, "who", WHO);
  switch (name) {
    case "role":
      return some(inner, at, (each, there) => {
        if (isRole(each)) return { kind: "role", role: each };
        throw new RulesProblem(there, `role is ${shown(each)}; accepted: ${ROLES.join(", ")}`);
      });
    case "team":
      return some(inner, at, (each, there) => ({ kind: "team", id: idOf(each, there, "team") }));
    case "user":
      return some(inner, at, (each, there) => {
        if (typeof each === "string" && each !== "" && each.length <= 510) return { kind: "user", id: each };
        throw new RulesProblem(
          there,
          `user is ${shown(each)}; accepted: a user's id, in quotes if it is a number`,
        );
      });
    case "everybody but":
      return { kind: "everybody but", of: whoOf(inner, at) };
    case "all of":
      return {
        kind: "all of",
        of: listOf(inner, at, name).map((each, index) => whoOf(each, [...at, index])),
      };
    default:
      throw new RulesProblem(at, `who has ${shown(name)}; accepted: ${WHO}`);
  }
}

/** Reads contents. A list means the contents that at least one of its entries names. */
export function whatOf(value: unknown, path: ValuePath): What {
  if (value === "everything" || value === "sites") return { kind: value };
  if (Array.isArray(value)) return anyOf(value, path, "what", whatOf);
  const [name, inner, at] = onlyField(value, path, "what", WHAT);
  switch (name) {
    case "space":
    case "collection":
    case "below":
    case "site":
      return some(inner, at, (each, there) => ({ kind: name, id: idOf(each, there, name) }));
    case "everything but":
      return { kind: "everything but", of: whatOf(inner, at) };
    default:
      throw new RulesProblem(at, `what has ${shown(name)}; accepted: ${WHAT}`);
  }
}

export function howOf(value: unknown, path: ValuePath): How {
  if (value === "none" || value === "only" || value === "all") return { kind: value };
  const [name, number, at] = onlyField(value, path, "how", HOW);
  if (name !== "at least" && name !== "at most")
    throw new RulesProblem(at, `how has ${shown(name)}; accepted: ${HOW}`);
  const least = name === "at least" ? 1 : 0;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= least)
    return { kind: name, number };
  throw new RulesProblem(at, `${name} is ${shown(number)}; accepted: a whole number from ${least}`);
}

function onlyField(
  value: unknown,
  path: ValuePath,
  what: string,
  accepted: string,
): [string, unknown, ValuePath] {
  if (path.length > DEEPEST_RULE) throw new RulesProblem(path.slice(0, 2), `${what} is nested too deep`);
  const [only, ...others] = isObject(value) ? Object.entries(value) : [];
  if (only === undefined || others.length > 0) {
    throw new RulesProblem(path, `${what} is ${shown(value)}; accepted: ${accepted}`);
  }
  return [only[0], only[1], [...path, only[0]]];
}

/** A value, or a list of such values. */
function some<Part>(
  value: unknown,
  path: ValuePath,
  one: (value: unknown, path: ValuePath) => Part,
): Part | { kind: "any of"; of: Part[] } {
  if (!Array.isArray(value)) return one(value, path);
  return anyOf(value, path, String(path.at(-1)), one);
}

function anyOf<Part>(
  value: readonly unknown[],
  path: ValuePath,
  name: string,
  one: (value: unknown, path: ValuePath) => Part,
): { kind: "any of"; of: Part[] } {
  if (path.length > DEEPEST_RULE) throw new RulesProblem(path.slice(0, 2), `${name} is nested too deep`);
  return {
    kind: "any of",
    of: listOf(value, path, name).map((each, index) => one(each, [...path, index])),
  };
}

function idOf(value: unknown, path: ValuePath, name: string): string {
  if (typeof value === "string" && ID.test(value)) return value;
  const advice = typeof value === "number" ? ", in quotes if it is a number" : "";
  throw new RulesProblem(path, `${name} is ${shown(value)}; accepted: an id${advice}`);
}

/** The most problems that are reported. */
const TOLD = 20;

const RULE_FIELDS = ["rule", "who", "what", "how", "role", "from", "to", "permissions", "except"] as const;
const EXCEPTION_FIELDS = ["who", "what", "until", "reason"] as const;

/** Throws a UsageError that names `file` and, for each problem, its line. */
export function readRules(text: string, file: string): AccessRule[] {
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ""), { lineCounter: lines, prettyErrors: false });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new UsageError(`${file}, line ${lineAt(broken.pos[0])}: this is not YAML: ${broken.message}.`);
  }
  visit(document, {
    Alias(_, alias, ancestors) {
      const meant = alias.resolve(document);
      if (meant === undefined || !ancestors.includes(meant)) return;
      throw new UsageError(
        `${file}, line ${lineAt(alias.range?.[0] ?? 0)}: the alias *${alias.source} stands inside what it means, so it never ends.`,
      );
    },
  });
  const problems: string[] = [];
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof RulesProblem)) throw error;
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
      throw new RulesProblem(["rules", index, "rule"], `the rule ${JSON.stringify(words)} occurs twice`);
    });
  }
  if (problems.length === 0) return read;
  const more = problems.length > TOLD ? [`And ${problems.length - TOLD} more.`] : [];
  throw new UsageError([...problems.slice(0, TOLD), ...more].join("\n"));
}

/** The rule with a {@link AccessRule.definition}. */
export function ruleOf(definition: string): AccessRule {
  const [rule] = readRules(`{"rules":[${definition}]}`, "the recorded rule");
  if (rule === undefined) throw new Error("A recorded rule has no definition.");
  return rule;
}

/** A YAML document as plain values. Throws a Problem if its aliases would expand without limit. */
function valueOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new RulesProblem(
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

function ruleIn(value: unknown, path: ValuePath, line: number): AccessRule {
  const fields = fieldsOf(value, path, "a rule", RULE_FIELDS);
  const at = (name: string) => [...path, name];
  const words = oneLineOf(fields.rule, at("rule"), "rule");
  const who = fields.who === undefined ? ({ kind: "everybody" } as const) : whoOf(fields.who, at("who"));
  const what = fields.what === "organization" ? fields.what : whatOf(fields.what, at("what"));
  const how = howOf(fields.how, at("how"));
  const direct = fields.permissions !== undefined;
  if (direct && (fields.permissions !== "direct" || what === "organization")) {
    const accepted = what === "organization" ? "no permissions if what is organization" : "direct";
    throw new RulesProblem(
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
): Pick<AccessRule, "from" | "to"> {
  const rankOf = (name: string, value: unknown, otherwise: number) => {
    if (value === undefined) return otherwise;
    const rank = RULE_ROLES.findIndex((each) => each === value);
    if (rank >= least) return rank;
    const accepted = RULE_ROLES.slice(least).join(", ");
    throw new RulesProblem([...path, name], `${name} is ${shown(value)}; accepted: ${accepted}`);
  };
  if (role !== undefined) {
    if (from !== undefined || to !== undefined) {
      throw new RulesProblem(
        [...path, "role"],
        "role is given with from or to; accepted: role alone, or from and to",
      );
    }
    const rank = rankOf("role", role, least);
    return { from: rank, to: rank };
  }
  const range = { from: rankOf("from", from, least), to: rankOf("to", to, RULE_ROLES.length - 1) };
  if (range.from <= range.to) return range;
  throw new RulesProblem(
    [...path, "from"],
    `from is ${String(from)}, above to, ${String(to)}; accepted: from up to to`,
  );
}

function exceptionOf(
  value: unknown,
  path: ValuePath,
  { what, how }: Pick<AccessRule, "what" | "how">,
): Exception {
  const fields = fieldsOf(value, path, "an exception", EXCEPTION_FIELDS);
  const at = (name: string) => [...path, name];
  if (fields.who === undefined && fields.what === undefined) {
    throw new RulesProblem(path, "an exception has neither who nor what; accepted: one of them, or both");
  }
  if (fields.who !== undefined && how.kind === "at least") {
    throw new RulesProblem(at("who"), "an exception to at least has who; accepted: what alone");
  }
  if (fields.what !== undefined && what === "organization") {
    throw new RulesProblem(
      at("what"),
      "an exception to a rule on the organization has what; accepted: who alone",
    );
  }
  const { until } = fields;
  if (typeof until !== "string" || !isDay(until)) {
    throw new RulesProblem(
      at("until"),
      `until is ${shown(until)}; accepted: the last day, such as 2026-12-31`,
    );
  }
  return {
    ...(fields.who === undefined ? {} : { who: whoOf(fields.who, at("who")) }),
    ...(fields.what === undefined ? {} : { what: whatOf(fields.what, at("what")) }),
    until,
    reason: oneLineOf(fields.reason, at("reason"), "reason"),
  };
}
