/** `rolebook why`: explains one role step by step or, with `--without`, the effect of removing a source. */
import { effectText, whereText } from "../../domain/difference.ts";
import { CommandError, UsageError } from "../../domain/error.ts";
import { plain } from "../../domain/reason.ts";
import { oneLine } from "../../domain/text.ts";
import type { Explanation, WhyLevel, WhyStep } from "../../domain/why.ts";
import { WITHOUT_SPELLING, type Without, readWithout } from "../../domain/without.ts";
import { memberOf } from "../../store/directory/members.ts";
import { nearestContentsAndSites, nearestMembers } from "../../store/directory/nearest.ts";
import {
  type Source,
  concernedBy,
  countsWithout,
  peopleWithout,
  sourceOf,
} from "../../store/listings/without.ts";
import type { Reading, Revision } from "../../store/reading.ts";
import type { Store } from "../../store/store.ts";
import { type ContentOrSite, contentsAndSitesById, explanationFor } from "../../store/why.ts";
import { chooseRevision, withExistingStore } from "../database.ts";
import { notAccepted, readAt } from "../options.ts";
import { print, say, table, widthOf } from "../terminal.ts";

/** Throws a UsageError for a text that names no source. */
export function withoutOf(text: string): Without {
  const without = readWithout(text);
  if (without !== undefined) return without;
  throw notAccepted("--without", text, WITHOUT_SPELLING);
}

/** Looks the source up. Throws a CommandError if it does not exist at the revision of `reading`. */
export async function existingSource(reading: Reading, without: Without): Promise<Source> {
  const source = await sourceOf(reading, without);
  if (source !== undefined) return source;
  throw new CommandError(`There is ${absentSource(without)} in organization ${reading.at.organization}.`);
}

function absentSource(without: Without): string {
  switch (without.of) {
    case "team":
      return `no team ${JSON.stringify(without.team)}`;
    case "grant":
      return `no permission of team ${JSON.stringify(without.team)} on ${without.content}`;
    case "user":
      return `no direct permission of ${JSON.stringify(without.user)} on ${without.content}`;
    case "default":
      return `no default level set on ${without.content}`;
  }
}

/** The sentence with the source, the sentence without it, and the steps of the ladder without it. */
export function withoutText(now: Explanation, { phrase }: Source, then: Explanation): string {
  const sentence = `Without ${oneLine(plain(phrase))}:\n${oneLine(plain(then.sentence))}`;
  const ladder = ladderText(then);
  return `${oneLine(plain(now.sentence))}\n\n${sentence}${ladder === "" ? "" : `\n\n${ladder}`}`;
}

/** How many contents are counted at a time. */
const BLOCK = 1000;

/**
 * How many people lose access, get a lower or a higher role, or gain access without a source: in total, then by
 * content.
 */
export async function effectOf(reading: Reading, { without, phrase }: Source): Promise<string> {
  const { counts } = await peopleWithout(reading, [without]);
  const concerned = (await concernedBy(reading, without)).map(({ content }) => content);
  const where =
    "content" in without
      ? whereText(without.content, concerned.length - 1)
      : `on the ${concerned.length.toLocaleString("en")} contents that it affects`;
  const sentence = `Without ${oneLine(plain(phrase))}, ${where}: ${effectText(counts)}.`;
  const rows: (string | number)[][] = [];
  for (let start = 0; start < concerned.length; start += BLOCK) {
    for (const [key, found] of await countsWithout(
      reading,
      [without],
      concerned.slice(start, start + BLOCK),
    )) {
      const { lost, lowered, raised, gained } = found;
      if (lost + lowered + raised + gained > 0) rows.push([key, lost, lowered, raised, gained]);
    }
  }
  if (rows.length === 0) return sentence;
  return `${sentence}\n\n${table(["CONTENT", "LOSE", "FALL", "RISE", "GAIN"], rows)}`;
}

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

const CONTENT_ACCEPTS = "space/ID, collection/ID, site/ID, or an ID alone";

export interface WhyArguments {
  readonly organization?: string;
  readonly at?: string;
  readonly database?: string;
  readonly without?: string;
}

/**
 * `rolebook why USER CONTENT` prints one sentence and the steps of the ladder. With `--without SOURCE`, it also prints
 * the sentence as it would be without the source, and the steps are those without it. With `--without SOURCE` and no
 * user, it prints how many people would lose access, get a lower or a higher role, or gain access. Throws a
 * CommandError with similar ids if the member, content or source does not exist.
 */
export async function whyCommand(
  user: string | undefined,
  content: string | undefined,
  options: WhyArguments,
): Promise<void> {
  const without = options.without === undefined ? undefined : withoutOf(options.without);
  if (user === undefined && without === undefined)
    throw new UsageError("USER and CONTENT are missing; see rolebook why --help.");
  if (user !== undefined && content === undefined) {
    throw new UsageError(`CONTENT is missing; accepted: ${CONTENT_ACCEPTS}.`);
  }
  const at = readAt(options.at);
  await withExistingStore(options.database, async ({ store }) => {
    const reading = store.reading(await chooseRevision(store, options.organization, at));
    const { revision, importedAt } = reading.at;
    if (at !== undefined) say(`As of revision ${revision} (${importedAt}):`);
    const source = without && (await existingSource(reading, without));
    if (user === undefined || content === undefined) {
      if (source !== undefined) await print(await effectOf(reading, source));
      return;
    }
    const thing = await contentOrSiteOf(store, reading, content);
    const explanation = await explanationFor(reading, user, thing);
    if (explanation === undefined) throw await absentContentOrSite(store, reading, thing.id, thing.kind);
    if ((await memberOf(reading, user)) === undefined) throw await absentMember(store, reading, user);
    const then = source && (await explanationFor(reading, user, thing, source.without));
    if (source === undefined || then === undefined) await print(whyText(explanation));
    else await print(withoutText(explanation, source, then));
  });
}

export function whyText(explanation: Explanation): string {
  const sentence = oneLine(plain(explanation.sentence));
  const ladder = ladderText(explanation);
  return ladder === "" ? sentence : `${sentence}\n\n${ladder}`;
}

async function contentOrSiteOf(store: Store, reading: Reading, text: string): Promise<ContentOrSite> {
  const slash = text.indexOf("/");
  if (slash >= 0) {
    const kind = text.slice(0, slash);
    if (kind === "space" || kind === "collection" || kind === "site")
      return { kind, id: text.slice(slash + 1) };
    throw notAccepted("CONTENT", text, CONTENT_ACCEPTS);
  }
  const [only, ...others] = await contentsAndSitesById(reading, text);
  if (only === undefined) throw await absentContentOrSite(store, reading, text);
  if (others.length === 0) return only;
  const names = [only, ...others].map(({ kind, id }) => `${kind}/${id}`);
  throw new UsageError(
    `The id ${JSON.stringify(text)} is used more than once; choose one: ${names.join(", ")}.`,
  );
}

async function absentContentOrSite(
  store: Store,
  { at }: Reading,
  id: string,
  kind?: ContentOrSite["kind"],
): Promise<CommandError> {
  const what = `${kind ?? "space, collection or site"} ${JSON.stringify(id)}`;
  return absent(at, what, await nearestContentsAndSites(store, at, id, kind));
}

async function absentMember(store: Store, { at }: Reading, user: string): Promise<CommandError> {
  return absent(at, `member ${JSON.stringify(user)}`, await nearestMembers(store, at, user));
}

function absent({ organization }: Revision, what: string, nearest: readonly string[]): CommandError {
  const offer = nearest.length === 0 ? "" : ` Did you mean one of these: ${nearest.map(oneLine).join(", ")}?`;
  return new CommandError(`There is no ${what} in organization ${organization}.${offer}`);
}
