/** Counts the rows of a decided report by decision and outcome. */
import type { Outcome } from "./outcomes.ts";
import type { Followed } from "./followed.ts";
import { type Decided, decidedBy, DECISIONS } from "./row.ts";

/** Selects rows by decision, by outcome, or by both. */
export interface Selection {
  readonly decision?: Decided | undefined;
  readonly outcome?: Outcome | undefined;
}

/** A user who came after the report has no decision. */
export function isSelected({ outcome, decision }: Followed, wanted: Selection): boolean {
  if (wanted.outcome !== undefined && outcome !== wanted.outcome) return false;
  if (wanted.decision === undefined) return true;
  return outcome !== "came" && decidedBy(decision) === wanted.decision;
}

export interface DecisionFigures {
  readonly decision: Decided;
  readonly rows: number;
  readonly outcomes: readonly { readonly outcome: Outcome; readonly rows: number }[];
}

const OF_ROWS = ["removed", "changed", "still there"] as const;

export class Figures {
  readonly #counts = new Map<string, number>();
  came = 0;

  add({ outcome, decision }: Followed): void {
    if (outcome === "came") this.came++;
    else {
      const key = keyOf(decidedBy(decision), outcome);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }

  /** The counts of every decision, also of those that no row has. */
  byDecision(): DecisionFigures[] {
    return DECISIONS.map((decision) => {
      const outcomes = OF_ROWS.map((outcome) => ({
        outcome,
        rows: this.#counts.get(keyOf(decision, outcome)) ?? 0,
      }));
      return { decision, rows: outcomes.reduce((sum, { rows }) => sum + rows, 0), outcomes };
    });
  }
}

function keyOf(decision: Decided, outcome: Outcome): string {
  return `${decision} ${outcome}`;
}
