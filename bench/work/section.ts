import type { Spread } from "../spread.ts";
import { show } from "../spread.ts";

/** A goal of the benchmark held against what was measured. */
export interface Verdict {
  readonly what: string;
  readonly figure: Spread;
  /** At least or at most so much; `aim` is what was hoped for beyond it. */
  readonly bound: { readonly side: "least" | "most"; readonly value: number; readonly aim?: number };
  readonly unit?: string;
  /** False where the server was not the bottleneck, so that the figure says nothing. */
  readonly counts?: boolean;
}

/** Rows of cells; the first row is the head. */
export type Table = readonly (readonly string[])[];

/** What one goal's part of the run gives to the document. */
export interface Section {
  readonly title: string;
  /** Paragraphs and tables in their order. */
  readonly parts: readonly (string | Table)[];
  readonly verdicts: readonly Verdict[];
  /** What could not be measured, and why. */
  readonly failures?: readonly string[];
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** A table in Markdown. */
export function markdown([head = [], ...rows]: Table): string {
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** `1.2 (1.1 to 1.3)` with as many digits as say something. */
export function few(values: Spread): string {
  const size = Math.abs(values.median);
  return show(values, size < 10 ? 2 : size < 100 ? 1 : 0);
}

/** A goal's figure and whether it was met, or by how much it was missed. */
export function judged({ what, figure, bound, unit = "", counts = true }: Verdict): string[] {
  const wanted = `at ${bound.side} ${bound.value}${unit}`;
  const aim = bound.aim === undefined ? "" : `, aim ${bound.aim}`;
  const miss = missedBy(figure.median, bound);
  const aimed = bound.aim !== undefined && missedBy(figure.median, { ...bound, value: bound.aim }) === 0;
  const result = miss === 0 ? (aimed ? "met, and the aim" : "met") : `missed by ${Math.ceil(miss * 100)} %`;
  const words = counts ? result : `does not count: a server was not the bottleneck; as it stands ${result}`;
  return [what, `${few(figure)}${unit}`, `${wanted}${aim}`, words];
}

/** By which part of the bound the figure falls short of it; 0 where it holds. */
export function missedBy(figure: number, { side, value }: Verdict["bound"]): number {
  return Math.max(0, side === "least" ? 1 - figure / value : figure / value - 1);
}

/** The verdict that is furthest from its bound, for a goal in which the worst counts; it counts if all of them do. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  const [first] = verdicts.toSorted((a, b) => shareOf(a) - shareOf(b));
  if (first === undefined) throw new RangeError("no verdicts to choose from");
  return { ...first, counts: verdicts.every(({ counts = true }) => counts) };
}

function shareOf({ figure, bound }: Verdict): number {
  return bound.side === "least" ? figure.median / bound.value : bound.value / figure.median;
}
