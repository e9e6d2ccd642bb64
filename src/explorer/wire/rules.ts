/** GET /explorer/rules: how the rules stood when they were last recorded. For callers who see everything; whatever `at` says. */
import type { Stamp } from "./answer.ts";

export interface RulesAnswer extends Stamp {
  /** When they were recorded, and the revision that was checked; absent where they never were. */
  readonly checked?: { readonly at: string; readonly revision: number };
  /** In the order of their file. */
  readonly rules: readonly RuleNode[];
}

export interface RuleNode {
  /** In its own words. */
  readonly rule: string;
  /** How often it was broken; `null` where it could not be asked. */
  readonly breaches: number | null;
}
