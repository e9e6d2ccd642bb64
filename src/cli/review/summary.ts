/** The summary of a review: what it covered, when it was, who signs it off, and its outcome. */
import { csvLines } from "../../operations/csv.ts";
import type { Followed } from "../../review/decided/followed.ts";
import type { Figures, Selection } from "../../review/decided/figures.ts";
import type { Revision } from "../../store/reading.ts";
import { commandLine, oneLine } from "../../domain/text.ts";
import type { DecidedReport } from "./decided-report.ts";
import type { OutcomeCounts } from "./outcome-counts.ts";

/** A number, and the command that counts it again. */
export interface Figure {
  readonly words: string;
  readonly rows: number;
  readonly command: string;
}

export interface Summary {
  /** A name and its values for each: what was reviewed, when, and who signs it off. */
  readonly facts: readonly (readonly [name: string, ...values: string[]])[];
  readonly figures: readonly Figure[];
  /** The first rows that were decided `remove` and whose user still has a role. `openRows` counts all of them. */
  readonly open: readonly Followed[];
  readonly openRows: number;
}

export interface SignOff {
  readonly file: string;
  /** A name that the user of the command gave; nothing proves it. */
  readonly by: string;
  /** ISO 8601, UTC. */
  readonly time: string;
}

export function summaryOf(
  report: DecidedReport,
  to: Revision,
  counts: OutcomeCounts,
  altered: string,
  { file, by, time }: SignOff,
): Summary {
  return {
    facts: [
      ["organization", to.organization, oneLine(to.title)],
      ["covers", report.covers],
      ["report of revision", String(report.revision), report.imported],
      ["looked at in revision", String(to.revision), to.importedAt],
      ["signed off by", oneLine(by), time],
      ["file", file],
      ["SHA-256 of the file", report.sha256],
      ["altered beyond the decisions", altered],
    ],
    figures: figuresWithCommands(counts.figures, file, to.revision),
    open: counts.open,
    openRows: counts.openRows,
  };
}

const DECIDED = {
  keep: "kept",
  remove: "to be removed",
  ask: "asked",
  other: "decided in other words",
  open: "open",
} as const;

function figuresWithCommands(figures: Figures, file: string, revision: number): Figure[] {
  const command = ({ decision, outcome }: Selection) => {
    const chosen = [
      ...(decision === undefined ? [] : ["--decision", decision]),
      ...(outcome === undefined ? [] : ["--outcome", outcome]),
    ];
    const words = ["rolebook", "review", file, "--at", String(revision), ...chosen, "--format", "ndjson"];
    return `${commandLine(...words)} | wc -l`;
  };
  const decided = figures.byDecision().flatMap(({ decision, rows: all, outcomes }): Figure[] => {
    const words = DECIDED[decision];
    return [
      { words, rows: all, command: command({ decision }) },
      ...outcomes.map(({ outcome, rows }) => ({
        words: `${words}, ${outcome === "still there" ? outcome : `${outcome} since`}`,
        rows,
        command: command({ decision, outcome }),
      })),
    ];
  });
  return [
    ...decided,
    { words: "came since, never looked at", rows: figures.came, command: command({ outcome: "came" }) },
  ];
}

export function summaryCsv({ facts, figures }: Summary): string {
  return csvLines([
    ["Rolebook review"],
    ...facts.map((fact) => [...fact]),
    ["figure", "rows", "command"],
    ...figures.map(({ words, rows, command }) => [words, String(rows), command]),
  ]);
}
