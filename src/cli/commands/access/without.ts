import { effectText, whereText } from "../../../domain/difference.ts";
import { CommandError, UsageError } from "../../../domain/error.ts";
import { oneLine } from "../../../domain/text.ts";
import { plain } from "../../../domain/reason.ts";
import type { Explanation } from "../../../domain/why.ts";
import { readWithout, type Without, WITHOUT_SPELLING } from "../../../domain/without.ts";
import type { Reading } from "../../../store/reading.ts";
import { countsWithout } from "../../../store/listings/without/below.ts";
import { concernedBy } from "../../../store/listings/without/inheriting.ts";
import { peopleWithout } from "../../../store/listings/without/people.ts";
import { type Source, sourceOf } from "../../../store/listings/without/source.ts";
import { ladderText } from "../../output/ladder.ts";
import { table } from "../../output/table.ts";

/** Throws a UsageError for a text that names no source. */
export function withoutOf(text: string): Without {
  const without = readWithout(text);
  if (without !== undefined) return without;
  throw new UsageError(`--without is ${JSON.stringify(text)}; accepted: ${WITHOUT_SPELLING}.`);
}

/** Looks the source up. Throws a CommandError if it does not exist at the revision of `reading`. */
export async function existingSource(reading: Reading, without: Without): Promise<Source> {
  const source = await sourceOf(reading, without);
  if (source !== undefined) return source;
  throw new CommandError(`There is ${absent(without)} in organization ${reading.at.organization}.`);
}

function absent(without: Without): string {
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
  const { counts } = await peopleWithout(reading, without, 0, Number.POSITIVE_INFINITY);
  const concerned = (await concernedBy(reading, without)).map(({ content }) => content);
  const where =
    "content" in without
      ? whereText(without.content, concerned.length - 1)
      : `on the ${concerned.length.toLocaleString("en")} contents that it affects`;
  const sentence = `Without ${oneLine(plain(phrase))}, ${where}: ${effectText(counts)}.`;
  const rows: (string | number)[][] = [];
  for (let start = 0; start < concerned.length; start += BLOCK) {
    for (const [key, found] of await countsWithout(reading, without, concerned.slice(start, start + BLOCK))) {
      const { lost, lowered, raised, gained } = found;
      if (lost + lowered + raised + gained > 0) rows.push([key, lost, lowered, raised, gained]);
    }
  }
  if (rows.length === 0) return sentence;
  return `${sentence}\n\n${table(["CONTENT", "LOSE", "FALL", "RISE", "GAIN"], rows)}`;
}
