import type { Measured } from "../figures/measure.ts";
import type { Spread } from "../figures/spread.ts";
import { show } from "../figures/spread.ts";

/** A goal of the benchmark and its measured figure. */
export interface Verdict {
  readonly what: string;
  readonly figure: Spread;
  /** The lower or upper limit; `aim` is a stricter one. */
  readonly bound: { readonly side: "least" | "most"; readonly value: number; readonly aim?: number };
  readonly unit?: string;
  /** False if the server was not the bottleneck, so that the figure means nothing. */
  readonly counts?: boolean;
}

/** Rows of cells; the first row is the head. */
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

/** A table in Markdown. */
export function markdown([head = [], ...rows]: Table): string {
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** `1.2 (1.1 to 1.3)` with meaningful digits. */
export function few(values: Spread): string {
  const size = Math.abs(values.median);
  return show(values, size < 10 ? 2 : size < 100 ? 1 : 0);
}

/** CPU of the main thread and, in brackets, of the whole process, in microseconds per request. */
export function cpuOf({ mainCpu, processCpu }: Measured): string {
  return `${mainCpu.median.toFixed(1)} (${processCpu.median.toFixed(1)})`;
}

/** A goal's figure, with "met" or by how much it was missed. */
export function judged({ what, figure, bound, unit = "", counts = true }: Verdict): string[] {
  const wanted = `at ${bound.side} ${bound.value}${unit}`;
  const aim = bound.aim === undefined ? "" : `, aim ${bound.aim}`;
  const miss = missedBy(figure.median, bound);
  const aimed = bound.aim !== undefined && missedBy(figure.median, { ...bound, value: bound.aim }) === 0;
  const result = miss === 0 ? (aimed ? "met, and the aim" : "met") : `missed by ${Math.ceil(miss * 100)} %`;
  const words = counts ? result : `does not count: a server was not the bottleneck; as it stands ${result}`;
  return [what, `${few(figure)}${unit}`, `${wanted}${aim}`, words];
}

/** The distance of a figure from its limit, as a part of the limit; 0 if it is met. */
export function missedBy(figure: number, { side, value }: Verdict["bound"]): number {
  return Math.max(0, side === "least" ? 1 - figure / value : figure / value - 1);
}

/** The verdict furthest from its limit, for goals in which the worst counts. It counts if all of them do. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  const [first] = verdicts.toSorted((a, b) => shareOf(a) - shareOf(b));
  if (first === undefined) throw new RangeError("no verdicts to choose from");
  return { ...first, counts: verdicts.every(({ counts = true }) => counts) };
}

function shareOf({ figure, bound }: Verdict): number {
  return bound.side === "least" ? figure.median / bound.value : bound.value / figure.median;
}
