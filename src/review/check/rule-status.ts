/** Compares the breaches of rules before and after an import or a change that is proposed. */
import type { Reading } from "../../store/reading.ts";
import type { Rule } from "../rules/rule.ts";
import { resolveRules } from "./resolve.ts";
import { evaluate } from "./evaluate.ts";
import { type BreachLine, breachLines } from "./lines.ts";

/** `problem` says why the rule cannot be checked. */
export type BreachStatus = { readonly breaches: number } | { readonly problem: string };

export interface RuleStatus {
  readonly rule: Rule;
  readonly after: BreachStatus;
  /** `undefined` if the organization did not exist. */
  readonly before: BreachStatus | undefined;
  /** The first breaches after the change. */
  readonly first: readonly BreachLine[];
}

/** How many breaches of a rule are shown. */
const SHOWN = 5;

/** `before` and `after` are the states before and after the change; `day` is that of {@link resolveRules}. */
export async function ruleStatusesOf(
  rules: readonly Rule[],
  before: Reading | undefined,
  after: Reading,
  day: string,
): Promise<RuleStatus[]> {
  const was = before === undefined ? undefined : await statuses(before, rules, day, 0);
  const is = before === after && was !== undefined ? was : await statuses(after, rules, day, SHOWN);
  return rules.map((rule) => {
    const { status, first } = is.get(rule) ?? NEVER;
    return { rule, after: status, before: was?.get(rule)?.status, first };
  });
}

const NEVER = { status: { problem: "It was not checked." }, first: [] };

async function statuses(reading: Reading, rules: readonly Rule[], day: string, shown: number) {
  const resolved = await resolveRules(reading, rules, day);
  const found = new Map<Rule, { readonly status: BreachStatus; readonly first: readonly BreachLine[] }>();
  for (const { rule, problem } of resolved.unresolved) found.set(rule, { status: { problem }, first: [] });
  for (const verdict of await evaluate(reading, resolved, shown)) {
    const { breaches } = verdict;
    found.set(verdict.resolved.rule, { status: { breaches }, first: await breachLines(reading, verdict) });
  }
  return found;
}

/**
 * Whether the change breaks a rule that was not broken. A rule that cannot be checked after the change counts as
 * broken.
 */
export function isNewlyBroken({ before, after }: RuleStatus): boolean {
  return "problem" in after || (after.breaches > 0 && !(before !== undefined && isBroken(before)));
}

function isBroken(status: BreachStatus): boolean {
  return "breaches" in status && status.breaches > 0;
}

/** Whether the rule was checked and has no breach. */
export function isKept(status: BreachStatus): boolean {
  return "breaches" in status && status.breaches === 0;
}
