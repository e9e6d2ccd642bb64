/** `rolebook without`: the effect of removing a source of access, on everybody or on one role. */
import { type ContentKey, contentKey, idOf, kindOf } from "../../domain/content.ts";
import { type Effect, effectText, whereText } from "../../domain/difference.ts";
import { CommandError, UsageError } from "../../domain/error.ts";
import { plain } from "../../domain/reason.ts";
import { oneLine } from "../../domain/text.ts";
import type { Explanation } from "../../domain/why.ts";
import { WITHOUT_SPELLING, type Without, readWithout } from "../../domain/without.ts";
import { explanationOf } from "../../model/why.ts";
import {
  type NamedSource,
  concernedBy,
  countsWithout,
  peopleWithout,
  sourceOf,
} from "../../store/listings/without.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import { idNamed } from "../names.ts";
import type { CommandOptions } from "../command-table.ts";
import { notAccepted } from "../options.ts";
import { print, table } from "../terminal.ts";
import { ladderText, onRevision, pairNamed, textOrObject } from "./why.ts";

/**
 * `rolebook without SOURCE` prints how many people would lose access, get a lower or a higher role, or gain access.
 * `rolebook without SOURCE USER CONTENT` prints one sentence as it is, as it would be, and the steps without the source.
 * Throws a CommandError if the source does not exist.
 */
export async function withoutCommand(
  text: string,
  user: string | undefined,
  content: string | undefined,
  options: CommandOptions<"without">,
): Promise<void> {
  const spelt = readWithout(text);
  if (spelt === undefined) throw notAccepted("SOURCE", text, WITHOUT_SPELLING);
  if (user !== undefined && content === undefined)
    throw new UsageError("CONTENT is missing; accepted: SOURCE alone, or SOURCE, USER and CONTENT.");
  const format = textOrObject(options.format);
  await onRevision(options, async (reading) => {
    const without = await withIds(reading, spelt);
    const source = await sourceOf(reading, without);
    if (source === undefined) throw new CommandError(absentSource(without, reading));
    if (user === undefined || content === undefined) {
      const effect = await effectOf(reading, source);
      await print(format === "ndjson" ? JSON.stringify(effect) : effectTextOf(effect));
      return;
    }
    const model = await modelOf(reading);
    const { member, thing } = await pairNamed(reading, model, user, content);
    const now = explanationOf(model, member, thing);
    const then = explanationOf(model, member, thing, without);
    if (now === undefined || then === undefined) return;
    await print(
      format === "ndjson" ? JSON.stringify({ before: now, after: then }) : withoutText(now, source, then),
    );
  });
}

/** The source with the ids of everything that it names. */
async function withIds(reading: Reading, without: Without): Promise<Without> {
  if (without.of === "team") return { ...without, team: await idNamed([reading], "team", without.team) };
  const kind = kindOf(without.content);
  const content = contentKey(kind, await idNamed([reading], kind, idOf(without.content)));
  if (without.of === "grant")
    return { of: "grant", team: await idNamed([reading], "team", without.team), content };
  if (without.of === "default") return { of: "default", content };
  return { of: "user", user: await idNamed([reading], "member", without.user), content };
}

function absentSource(without: Without, { at }: Reading): string {
  return `There is ${absentThing(without)} in organization ${at.organization}.`;
}

function absentThing(without: Without): string {
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
function withoutText(now: Explanation, { phrase }: NamedSource, then: Explanation): string {
  const sentence = `Without ${oneLine(plain(phrase))}:\n${oneLine(plain(then.sentence))}`;
  const ladder = ladderText(then);
  return `${oneLine(plain(now.sentence))}\n\n${sentence}${ladder === "" ? "" : `\n\n${ladder}`}`;
}

/** How many contents are counted at a time. */
const CONTENTS_A_BLOCK = 1000;

interface SourceEffect {
  readonly sentence: string;
  /** Each person once. */
  readonly people: Effect;
  /** The contents on which somebody's role differs. */
  readonly contents: readonly ({ readonly content: ContentKey } & Effect)[];
}

/** How many people lose access, get a lower or a higher role, or gain access without a source. */
async function effectOf(reading: Reading, { without, phrase }: NamedSource): Promise<SourceEffect> {
  const { counts } = await peopleWithout(reading, [without]);
  const concerned = (await concernedBy(reading, without)).map(({ content }) => content);
  const where =
    "content" in without
      ? whereText(without.content, concerned.length - 1)
      : `on the ${concerned.length.toLocaleString("en")} contents that it affects`;
  const contents: ({ content: ContentKey } & Effect)[] = [];
  for (let start = 0; start < concerned.length; start += CONTENTS_A_BLOCK) {
    const block = await countsWithout(reading, [without], concerned.slice(start, start + CONTENTS_A_BLOCK));
    for (const [content, { lost, lowered, raised, gained }] of block) {
      if (lost + lowered + raised + gained > 0) contents.push({ content, lost, lowered, raised, gained });
    }
  }
  const sentence = `Without ${oneLine(plain(phrase))}, ${where}: ${effectText(counts)}.`;
  return { sentence, people: counts, contents };
}

function effectTextOf({ sentence, contents }: SourceEffect): string {
  if (contents.length === 0) return sentence;
  const rows = contents.map(({ content, lost, lowered, raised, gained }) => [
    content,
    lost,
    lowered,
    raised,
    gained,
  ]);
  return `${sentence}\n\n${table(["CONTENT", "LOSE", "FALL", "RISE", "GAIN"], rows)}`;
}
