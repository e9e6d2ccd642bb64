import type { Measured } from "../figures/measure.ts";
import { type Spread, show } from "../figures/spread.ts";

/** One measured figure, and the limit that the goal sets for it. */
export interface Verdict {
  readonly what: string;
  readonly figure: Spread;
  /** The least or most allowed value; `aim` is a stricter one. */
  readonly bound: { readonly side: "least" | "most"; readonly value: number; readonly aim?: number };
  readonly unit?: string;
  /** False if the server was not the bottleneck: the figure then says nothing. */
  readonly counts?: boolean;
}

/** Rows of cells; the first row has the column names. */
export type Table = readonly (readonly string[])[];

/** The part of the document about one goal. */
export interface Section {
  readonly title: string;
  /** Paragraphs and tables, in order. */
  readonly parts: readonly (string | Table)[];
  readonly verdicts: readonly Verdict[];
  /** Failed measurements with their reasons. */
  readonly failures?: readonly string[];
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function markdown([head = [], ...rows]: Table): string {
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** Formats as `1.2 (1.1 to 1.3)`, with a number of digits that suits the size. */
export function few(values: Spread): string {
  const size = Math.abs(values.median);
  return show(values, size < 10 ? 2 : size < 100 ? 1 : 0);
}

/** Formats the CPU of the main thread and, in brackets, of the whole process, in microseconds per request. */
export function cpuOf({ mainCpu, processCpu }: Measured): string {
  return `${mainCpu.median.toFixed(1)} (${processCpu.median.toFixed(1)})`;
}

/** The cells of a verdict: figure, limit, and "met" or by how much it was missed. */
export function judged({ what, figure, bound, unit = "", counts = true }: Verdict): string[] {
  const wanted = `at ${bound.side} ${bound.value}${unit}`;
  const aim = bound.aim === undefined ? "" : `, aim ${bound.aim}`;
  const miss = missedBy(figure.median, bound);
  const aimed = bound.aim !== undefined && missedBy(figure.median, { ...bound, value: bound.aim }) === 0;
  const result = miss === 0 ? (aimed ? "met, and the aim" : "met") : `missed by ${Math.ceil(miss * 100)} %`;
  const words = counts ? result : `does not count: a server was not the bottleneck; as it stands ${result}`;
  return [what, `${few(figure)}${unit}`, `${wanted}${aim}`, words];
}

/** How far a figure is from its limit, as a part of the limit; 0 if the limit is met. */
export function missedBy(figure: number, { side, value }: Verdict["bound"]): number {
  return Math.max(0, side === "least" ? 1 - figure / value : figure / value - 1);
}

/** The verdict that is furthest from its limit. It counts only if all verdicts count. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  const [first] = verdicts.toSorted((a, b) => shareOf(a) - shareOf(b));
  if (first === undefined) throw new RangeError("no verdicts to choose from");
  return { ...first, counts: verdicts.every(({ counts = true }) => counts) };
}

function shareOf({ figure, bound }: Verdict): number {
  return bound.side === "least" ? figure.median / bound.value : bound.value / figure.median;
}
