import { CommandError, RefusedError, UsageError } from "../../../domain/error.ts";
import {
  isKept,
  isNewlyBroken,
  type RuleStatus,
  type BreachStatus,
  ruleStatusesOf,
} from "../../../review/check/rule-status.ts";
import type { Rule } from "../../../review/rules/rule.ts";
import type { Examination, Proposal } from "../../../store/writing/generation/publish.ts";
import { keepRuleResults, type RuleResult } from "../../../store/rule-results.ts";
import type { Connection } from "../../../store/engine/engine.ts";
import type { Store } from "../../../store/store.ts";
import { whatOf, whoOf } from "../../output/check-output.ts";
import { say } from "../../context.ts";

export interface RulesArguments {
  readonly rules?: string;
  readonly enforce?: boolean;
  readonly dryRun?: boolean;
}

/** The rules to check during one import; `undefined` without `--rules`. */
export async function examinationOf(options: RulesArguments): Promise<RulesExamination | undefined> {
  return (await examinationsOf(options))?.();
}

/** Makes an examination for each of several changes; `undefined` without `--rules`. */
export async function examinationsOf({
  rules,
  enforce = false,
  dryRun = false,
}: RulesArguments): Promise<(() => RulesExamination) | undefined> {
  if (rules !== undefined) {
    // Loaded here because it needs the YAML parser, and most imports have no rules.
    const { rulesIn } = await import("../access/check-rules.ts");
    const read = await rulesIn(rules);
    return () => new RulesExamination(read, enforce, dryRun);
  }
  if (enforce) throw new UsageError("--enforce is given without --rules; accepted: both, or neither.");
  return undefined;
}

/**
 * Reports the rules that an import or a change would newly break; with `--enforce`, refuses it. The results are stored
 * in the transaction that publishes the revision; metrics and the explorer show them.
 */
export class RulesExamination implements Examination {
  readonly #rules: readonly Rule[];
  readonly #enforce: boolean;
  readonly isRehearsal: boolean;
  #organization: string | undefined;
  #statuses: readonly RuleStatus[] = [];

  constructor(rules: readonly Rule[], enforce: boolean, isRehearsal: boolean) {
    this.isRehearsal = isRehearsal;
    this.#rules = rules;
    this.#enforce = enforce;
  }

  readonly examine = async ({ organization, before, after }: Proposal): Promise<void> => {
    if (this.#organization !== undefined) {
      throw new CommandError("--rules takes one organization at a time; nothing was changed.");
    }
    this.#organization = organization;
    // In UTC, like the days on which exceptions end.
    const today = new Date().toISOString().slice(0, 10);
    this.#statuses = await ruleStatusesOf(this.#rules, before, after, today);
    const broken = this.#statuses.filter(isNewlyBroken);
    for (const status of broken) for (const line of linesOf(status)) say(line);
    if (broken.length === 0 || !this.#enforce) return;
    const rules = broken.length === 1 ? "a rule" : `${broken.length} rules`;
    throw new RefusedError(`Refused by --enforce: this would break ${rules}. Nothing was changed.`);
  };

  /** The text of each newly broken rule. */
  get broken(): readonly string[] {
    return this.#statuses.filter(isNewlyBroken).map(({ rule }) => rule.words);
  }

  readonly record = async (connection: Connection, organization: string, revision: number): Promise<void> => {
    if (organization !== this.#organization) return;
    const results = this.#statuses.map(({ rule, after }) => resultOf(rule, after));
    const checkedAt = new Date().toISOString();
    await keepRuleResults(connection, organization, { revision, checkedAt, results });
  };
}

/** Stores the results of a check of the current revision. */
export async function keepResults(
  store: Store,
  organization: string,
  revision: number,
  results: readonly RuleResult[],
): Promise<void> {
  const checkedAt = new Date().toISOString();
  await store.engine.transaction((connection) =>
    keepRuleResults(connection, organization, { revision, checkedAt, results }),
  );
}

function resultOf({ words, definition }: Rule, status: BreachStatus): RuleResult {
  return { rule: words, breaches: "problem" in status ? null : status.breaches, definition };
}

function linesOf({ rule, before, after, first }: RuleStatus): string[] {
  const words = JSON.stringify(rule.words);
  if ("problem" in after) return [`The rule ${words} cannot be checked: ${after.problem}`];
  const kept = before !== undefined && isKept(before) ? ", which was kept" : "";
  const more = after.breaches - first.length;
  return [
    `This breaks the rule ${words}${kept}; breaches: ${after.breaches.toLocaleString("en")}`,
    ...first.map((line) => `  ${whoOf(line)}: ${line.role} on ${whatOf(line)}, ${line.reason}`),
    ...(more > 0 ? [`  and ${more.toLocaleString("en")} more`] : []),
  ];
}
