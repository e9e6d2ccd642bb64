/** How rules stand in what an organization is about to become, beside how they stand now. */
import type { Reading } from "../../store/reading.ts";
import type { Rule } from "../rules/rule.ts";
import { resolveRules } from "./resolve.ts";
import { evaluate } from "./evaluate.ts";
import { type BreachLine, breachLines } from "./lines.ts";

/** How often a rule is broken; or why it cannot be asked. */
export type BreachStatus = { readonly breaches: number } | { readonly problem: string };

export interface RuleStatus {
  readonly rule: Rule;
  readonly after: BreachStatus;
  /** `undefined` where there was no organization. */
  readonly before: BreachStatus | undefined;
  /** The first of the breaches that there will be. */
  readonly first: readonly BreachLine[];
}

/** Breaches that are shown of a rule. */
const SHOWN = 5;

/** How some rules stand before and after. `day`: see {@link resolveRules}. */
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

const NEVER = { status: { problem: "It was not asked." }, first: [] };

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
 * Whether what an organization becomes breaks a rule that it kept. A rule that could not be asked was not broken; one
 * that cannot be asked any more, or never could, counts as broken.
 */
export function isNewlyBroken({ before, after }: RuleStatus): boolean {
  return "problem" in after || (after.breaches > 0 && !(before !== undefined && isBroken(before)));
}

function isBroken(status: BreachStatus): boolean {
  return "breaches" in status && status.breaches > 0;
}

/** Whether a rule was kept: it could be asked, and nobody broke it. */
export function isKept(status: BreachStatus): boolean {
  return "breaches" in status && status.breaches === 0;
}
