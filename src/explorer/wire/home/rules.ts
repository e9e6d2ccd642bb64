/**
 * GET /explorer/rules: the results of the last check of the rules. For callers who see everything. `at` has no effect.
 */
import type { Stamp } from "../answer.ts";

export interface RulesAnswer extends Stamp {
  /** The time of the last check, and the revision that it checked; absent if the rules were never checked. */
  readonly checked?: { readonly at: string; readonly revision: number };
  /** In the order of the rules file. */
  readonly rules: readonly RuleNode[];
}

export interface RuleNode {
  readonly rule: string;
  /** The number of breaches; `null` if the rule could not be checked. */
  readonly breaches: number | null;
  /** Whether GET /explorer/breaches lists the breaches: a result of an earlier program has no definition. */
  readonly listed: boolean;
}
