/** `rolebook why`: explains one role step by step. */
import { CommandError } from "../../domain/error.ts";
import { plain } from "../../domain/reason.ts";
import { oneLine } from "../../domain/text.ts";
import type { Explanation, WhyLevel, WhyStep } from "../../domain/why.ts";
import type { Model } from "../../model/model.ts";
import { nearestContentsAndSites, nearestMembers } from "../../model/nearest.ts";
import { type ContentOrSite, explanationOf } from "../../model/why.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import { chooseRevision, withExistingStore } from "../database.ts";
import { thingNamed } from "../names.ts";
import type { CommandOptions } from "../command-table.ts";
import { oneOf, readAt } from "../options.ts";
import { print, say, widthOf } from "../terminal.ts";

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

interface WhyLine {
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

function headOf({ indent, mark, label }: WhyLine): string {
  return `${" ".repeat(indent)}${mark === undefined ? "" : `${mark} `}${label}`;
}

function linesOf({ kind, title, here, steps }: WhyLevel): WhyLine[] {
  const level = { indent: 0, label: oneLine(title), answer: here ? `this ${kind}` : kind };
  return [level, ...steps.flatMap(stepLines)];
}

function stepLines({ mark, label, answer, role, teams = [] }: WhyStep): WhyLine[] {
  const said = [answer, role].filter((part) => part !== undefined && part !== "").join(", ");
  const step = { indent: STEP, mark: MARKS[mark], label, answer: said };
  return [step, ...teams.map((team, index) => teamLine(team, index, teams))];
}

type Teams = NonNullable<WhyStep["teams"]>;

function teamLine({ title, role: given }: Teams[number], index: number, teams: Teams): WhyLine {
  const tied = teams.filter((team) => team.role === given).length;
  const role = given ?? "no access";
  const first = tied > 1 ? ` (${tied} teams have ${role} here)` : " (highest)";
  const counts = index === 0 && teams.length > 1 ? first : "";
  return { indent: TEAM, label: `team ${oneLine(title)}`, answer: `${role}${counts}` };
}

/**
 * `rolebook why USER CONTENT` prints one sentence and the steps of the ladder. Throws a CommandError with similar ids if
 * the member or the content does not exist.
 */
export async function whyCommand(
  user: string,
  content: string,
  options: CommandOptions<"why">,
): Promise<void> {
  const format = textOrObject(options.format);
  await onRevision(options, async (reading) => {
    const model = await modelOf(reading);
    const { member, thing } = await pairNamed(reading, model, user, content);
    const explanation = explanationOf(model, member, thing);
    if (explanation === undefined) return;
    await print(format === "ndjson" ? JSON.stringify(explanation) : whyText(explanation));
  });
}

/** Throws a UsageError for a format that an explanation does not have. */
export function textOrObject(format: string | undefined): "table" | "ndjson" | undefined {
  return oneOf("--format", format, ["table", "ndjson"]);
}

/** Runs work on the revision that the options choose, and says which one if it is a past one. */
export async function onRevision(
  options: CommandOptions<"why">,
  work: (reading: Reading) => Promise<void>,
): Promise<void> {
  const at = readAt(options.at);
  await withExistingStore(options.database, async ({ store }) => {
    const reading = store.reading(await chooseRevision(store, options.organization, at));
    const { revision, importedAt } = reading.at;
    if (at !== undefined) say(`As of revision ${revision} (${importedAt}):`);
    await work(reading);
  });
}

export function whyText(explanation: Explanation): string {
  const sentence = oneLine(plain(explanation.sentence));
  const ladder = ladderText(explanation);
  return ladder === "" ? sentence : `${sentence}\n\n${ladder}`;
}

const KINDS = ["space", "collection", "site"] as const;

/** The member and the content or site that two arguments name. Throws a CommandError if one does not exist. */
export async function pairNamed(
  reading: Reading,
  model: Model,
  user: string,
  content: string,
): Promise<{ readonly member: string; readonly thing: ContentOrSite }> {
  const prefix = KINDS.find((kind) => content.startsWith(`${kind}/`));
  const name = prefix === undefined ? content : content.slice(prefix.length + 1);
  const thing = await thingNamed(reading, prefix === undefined ? KINDS : [prefix], name);
  if (thing === undefined || thing.kind === "member" || thing.kind === "team") {
    const what = `${prefix ?? "space, collection or site"} ${JSON.stringify(name)}`;
    throw absent(model, what, nearestContentsAndSites(model, name, prefix));
  }
  const member = await thingNamed(reading, ["member"], user);
  if (member === undefined) {
    throw absent(model, `member ${JSON.stringify(user)}`, nearestMembers(model, user));
  }
  return { member: member.id, thing };
}

function absent({ organization }: Model, what: string, nearest: readonly string[]): CommandError {
  const offer = nearest.length === 0 ? "" : ` Did you mean one of these: ${nearest.map(oneLine).join(", ")}?`;
  return new CommandError(`There is no ${what} in organization ${organization.id}.${offer}`);
}
