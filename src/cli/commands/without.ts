/** `rolebook without`: the effect of removing a source of access, on everybody or on one role. */
import { type ContentKey, contentKey, idOf, kindOf } from "../../domain/content.ts";
import { type Effect, effectText, whereText } from "../../domain/difference.ts";
import { CommandError, UsageError } from "../../domain/error.ts";
import { plain } from "../../domain/reason.ts";
import { oneLine } from "../../domain/text.ts";
import type { Explanation } from "../../domain/why.ts";
import { type OnSite, WITHOUT_SPELLING, type Without, readWithout } from "../../domain/without.ts";
import { keyOf, type Model } from "../../model/model.ts";
import { explanationOf } from "../../model/why.ts";
import {
  affectedBy,
  effectsOnAll,
  type NamedSource,
  peopleIn,
  sourceIn,
  withoutSources,
} from "../../model/without.ts";
import { modelOf } from "../../store/models.ts";
import { workInTurns } from "../../store/turns.ts";
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
    const model = await modelOf(reading);
    const source = sourceIn(model, without);
    if (source === undefined) throw new CommandError(absentSource(without, reading));
    if (user === undefined || content === undefined) {
      const effect = await effectOf(model, source);
      await print(format === "ndjson" ? JSON.stringify(effect) : effectTextOf(effect));
      return;
    }
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
  if (without.of === "site") {
    const site = await idNamed([reading], "site", without.site);
    const { what } = without;
    if (typeof what === "string") return { ...without, site };
    const named: OnSite =
      "team" in what
        ? { team: await idNamed([reading], "team", what.team) }
        : { user: await idNamed([reading], "member", what.user) };
    return { of: "site", site, what: named };
  }
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
    case "site": {
      const { what, site } = without;
      if (what === "everything") return `no site ${JSON.stringify(site)} that says anything`;
      if (what === "default") return `no default level set on site/${site}`;
      return "team" in what
        ? `no permission of team ${JSON.stringify(what.team)} on site/${site}`
        : `no direct permission of ${JSON.stringify(what.user)} on site/${site}`;
    }
  }
}

/** The sentence with the source, the sentence without it, and the steps of the ladder without it. */
function withoutText(now: Explanation, { phrase }: NamedSource, then: Explanation): string {
  const sentence = `Without ${oneLine(plain(phrase))}:\n${oneLine(plain(then.sentence))}`;
  const ladder = ladderText(then);
  return `${oneLine(plain(now.sentence))}\n\n${sentence}${ladder === "" ? "" : `\n\n${ladder}`}`;
}

interface SourceEffect {
  readonly sentence: string;
  /** Each person once. */
  readonly people: Effect;
  /** The contents on which somebody's role differs. */
  readonly contents: readonly ({ readonly content: ContentKey } & Effect)[];
}

/** How many people lose access, get a lower or a higher role, or gain access without a source. */
async function effectOf(model: Model, { without, phrase }: NamedSource): Promise<SourceEffect> {
  const whatIf = await workInTurns(withoutSources(model, [without]));
  const people = await workInTurns(peopleIn(whatIf));
  const affected = (await workInTurns(affectedBy(model, without))).order;
  const where =
    "content" in without
      ? whereText(without.content, affected.length - 1)
      : `on the ${affected.length.toLocaleString("en")} contents that it affects`;
  const effectOn = await workInTurns(effectsOnAll(whatIf));
  const contents = [...affected].flatMap((x) => {
    const { lost, lowered, raised, gained } = effectOn(x);
    const isAny = lost + lowered + raised + gained > 0;
    return isAny ? [{ content: keyOf(model, x), lost, lowered, raised, gained }] : [];
  });
  const sentence = `Without ${oneLine(plain(phrase))}, ${where}: ${effectText(people.counts)}.`;
  return { sentence, people: people.counts, contents };
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
