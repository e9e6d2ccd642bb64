/** GET /explorer/rules: how the rules stood when they were last recorded. For callers who see everything; whatever `at` says. */
import type { Stamp } from "./answer.ts";

export interface RulesAnswer extends Stamp {
  /** When the rules were recorded, and the checked revision; absent if they never were. */
  readonly checked?: { readonly at: string; readonly revision: number };
  /** In the order of their file. */
  readonly rules: readonly RuleNode[];
}

export interface RuleNode {
  /** The text of the rule. */
  readonly rule: string;
  /** The number of breaches; `null` if the rule could not be checked. */
  readonly breaches: number | null;
}
