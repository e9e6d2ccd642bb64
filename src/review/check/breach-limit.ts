import { isAboutNumber, type Rule } from "../rules/rule.ts";
import type { Question } from "./question.ts";

/** How many members a breach of `at most` or `at least` names. */
const NAMED = 10;

/** Keeps in memory only the members of breaches that are listed. */
export class BreachLimit {
  readonly #listed: ReadonlyMap<Rule, { readonly length: number }>;
  readonly #limit: number;

  constructor(
    verdicts: readonly {
      readonly resolved: { readonly rule: Rule };
      readonly listed: { readonly length: number };
    }[],
    limit: number,
  ) {
    this.#listed = new Map(verdicts.map(({ resolved, listed }) => [resolved.rule, listed]));
    this.#limit = limit;
  }

  /** How many members to keep for a question; 0 once enough breaches of its rule are listed. */
  for({ asked: { rule } }: Question): number {
    const left = Math.max(0, this.#limit - (this.#listed.get(rule)?.length ?? 0));
    return isAboutNumber(rule.how) ? Math.min(left, 1) * NAMED : left;
  }

  /**
   * Drops the members of breaches that exceed the limit of their rule. `asked` is in the order in which breaches are
   * listed.
   */
  prune(asked: Iterable<Question>): void {
    const listed = new Map<Rule, number>();
    const wanted = new Set<Question>();
    const all = new Set<Question>();
    for (const question of asked) {
      const { rule } = question.asked;
      const before = listed.get(rule) ?? 0;
      all.add(question);
      if (before >= this.for(question) && !isAboutNumber(rule.how)) continue;
      wanted.add(question);
      listed.set(rule, before + question.positions.length);
    }
    for (const question of all) if (!wanted.has(question)) question.positions = [];
  }
}
