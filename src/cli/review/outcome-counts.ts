/** Counts the rows of a review by decision and outcome, as they are read. */
import { Figures, isSelected } from "../../review/decided/figures.ts";
import type { Followed } from "../../review/decided/followed.ts";
import type { Outcome } from "../../review/decided/outcomes.ts";

/** The most open removals that the summary names, so that it fits on a page. */
const NAMED = 8;
/** The most decisions in other words that are counted one by one. */
const WORDS = 20;

export class OutcomeCounts {
  readonly figures = new Figures();
  /** The first rows that were decided `remove` and whose user still has a role. */
  readonly open: Followed[] = [];
  openRows = 0;
  readonly #words = new Map<string, Map<Outcome, number>>();

  add(row: Followed): void {
    this.figures.add(row);
    const word = row.outcome === "came" ? "not looked at" : row.decision.trim().toLowerCase() || "undecided";
    const known = this.#words.has(word) || this.#words.size < WORDS ? word : "in other words";
    const outcomes = this.#words.get(known) ?? new Map<Outcome, number>();
    this.#words.set(known, outcomes.set(row.outcome, (outcomes.get(row.outcome) ?? 0) + 1));
    if (row.now === "" || !isSelected(row, { decision: "remove" })) return;
    this.openRows++;
    if (this.open.length < NAMED) this.open.push(row);
  }

  /** Such as "remove: 2 removed, 1 still there." */
  text(): string {
    const parts = [...this.#words].map(([word, outcomes]) => {
      const counts = [...outcomes].map(([outcome, rows]) => `${rows.toLocaleString("en")} ${outcome}`);
      return `${word}: ${counts.join(", ")}`;
    });
    return `${parts.join("; ")}.`;
  }
}
