import { isAboutNumber, type Rule } from "../rules/rule.ts";
import type { Question } from "./question.ts";

/** Members that a breach of `at most` or `at least` names. */
const NAMED = 10;

/** How many breaches of each rule are still to be listed, so that no more members are remembered than that. */
export class Room {
  readonly #listed: ReadonlyMap<Rule, { readonly length: number }>;
  readonly #limit: number;

  constructor(
    verdicts: readonly {
      readonly ready: { readonly rule: Rule };
      readonly listed: { readonly length: number };
    }[],
    limit: number,
  ) {
    this.#listed = new Map(verdicts.map(({ ready, listed }) => [ready.rule, listed]));
    this.#limit = limit;
  }

  /** How many members a question may remember; 0 where no more of its rule's breaches are listed. */
  for({ asked: { rule } }: Question): number {
    const left = Math.max(0, this.#limit - (this.#listed.get(rule)?.length ?? 0));
    return isAboutNumber(rule.how) ? Math.min(left, 1) * NAMED : left;
  }

  /** Forgets members whose breaches are not listed, since those on contents before them fill the list. */
  prune(questions: readonly Question[]): void {
    for (const [, alike] of Map.groupBy(questions, ({ asked }) => asked.rule)) {
      let before = 0;
      for (const question of alike) {
        if (isAboutNumber(question.asked.rule.how)) continue;
        if (before >= this.for(question)) question.positions = [];
        before += question.positions.length;
      }
    }
  }
}
