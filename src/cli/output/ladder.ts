import type { Explanation, WhyLevel, WhyStep } from "../../domain/why.ts";
import { oneLine } from "../../domain/text.ts";
import { widthOf } from "./width.ts";

const MARKS: Readonly<Record<WhyStep["mark"], string>> = {
  none: "o",
  on: "v",
  decides: "@",
  "not-reached": ".",
};

const LEGEND = "o no answer   v on to the parent   @ decides   . not reached";
/** Indentations in characters: of the steps of a level, and of the teams of a step. */
const STEP = 2;
const TEAM = 6;
const GAP = 2;

interface Line {
  readonly indent: number;
  readonly mark?: string;
  readonly label: string;
  readonly answer: string;
}

/** The ladder of an explanation as lines of text, with all answers in one column; empty if there is no ladder. */
export function ladderText({ levels }: Explanation): string {
  if (levels.length === 0) return "";
  const lines = levels.flatMap(linesOf);
  const widths = lines.map((line) => widthOf(headOf(line)));
  const column = Math.max(...widths) + GAP;
  const text = lines.map(
    (line, index) => `${headOf(line)}${" ".repeat(column - (widths[index] ?? 0))}${line.answer}`,
  );
  return [...text, "", LEGEND].join("\n");
}

function headOf({ indent, mark, label }: Line): string {
  return `${" ".repeat(indent)}${mark === undefined ? "" : `${mark} `}${label}`;
}

function linesOf({ kind, title, here, steps }: WhyLevel): Line[] {
  const level = { indent: 0, label: oneLine(title), answer: here ? `this ${kind}` : kind };
  return [level, ...steps.flatMap(stepLines)];
}

function stepLines({ mark, label, answer, role, teams = [] }: WhyStep): Line[] {
  const said = [answer, role].filter((part) => part !== undefined && part !== "").join(", ");
  const step = { indent: STEP, mark: MARKS[mark], label, answer: said };
  return [step, ...teams.map((team, index) => teamLine(team.title, team.role, index, teams))];
}

function teamLine(title: string, role: string, index: number, teams: WhyStep["teams"] = []): Line {
  const tied = teams.filter((team) => team.role === role).length;
  const first = tied > 1 ? ` (${tied} teams have ${role} here)` : " (highest)";
  const counts = index === 0 && teams.length > 1 ? first : "";
  return { indent: TEAM, label: `team ${oneLine(title)}`, answer: `${role}${counts}` };
}
