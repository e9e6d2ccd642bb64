/**
 * GET /explorer/rules: the latest stored results of the rules. For callers who see everything; `at` does not matter.
 */
import type { Stamp } from "../answer.ts";

export interface RulesAnswer extends Stamp {
  /** The time of the check and the checked revision; absent if the rules were never checked. */
  readonly checked?: { readonly at: string; readonly revision: number };
  /** The rules, in the order of the rules file. */
  readonly rules: readonly RuleNode[];
}

export interface RuleNode {
  /** The text of the rule. */
  readonly rule: string;
  /** The number of breaches; `null` if the rule could not be checked. */
  readonly breaches: number | null;
}
