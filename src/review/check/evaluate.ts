/** Rules asked of one revision: how often each is broken, and the first of those who break it. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { ContentKey } from "../../domain/content.ts";
import { ROLES } from "../../domain/role.ts";
import { addAll, noSlots, type Words } from "../../sets/words.ts";
import { chunksOf, slotOrderOf } from "../../store/sets/chunks.ts";
import { contents, headsOfLadders } from "../../store/directory/inheritance.ts";
import { ContentFolds } from "../../store/listings/content-folds.ts";
import type { Reading } from "../../store/reading.ts";
import { blocksOf } from "../../store/reports/report-scope.ts";
import { MEMBERS, memberSets } from "../../store/schema/set-names.ts";
import { NamedSets } from "../../store/sets/set-store.ts";
import { isAboutNumber } from "../rules/rule.ts";
import { countingOn, type ReadyException, type ReadyRule, type ReadyRules } from "./asked.ts";
import { type Group, Groups } from "./groups.ts";
import { Question } from "./question.ts";
import { Room } from "./room.ts";
import { inAnyOf } from "./scope.ts";

/** Somebody who breaks a rule; or a content with too many or too few, and the first of them. */
export interface Breach {
  /** Absent: in the organization. */
  readonly key: ContentKey | undefined;
  /** Positions of members: of one, or of the first of those who are too many or too few. */
  readonly positions: readonly number[];
  /** How many there are, where the rule is about their number. */
  readonly count: number | undefined;
}

export interface Verdict {
  readonly ready: ReadyRule;
  /** On how many contents it was asked; 1 for the organization. */
  contents: number;
  breaches: number;
  /** The first of the breaches, by content, then by user. */
  readonly listed: Breach[];
  readonly exceptions: readonly (ReadyException & { excused: number })[];
}

/** Others get their turn after so many milliseconds. */
const TURN = 4;

/**
 * Asks rules. Of each up to `limit` breaches are listed; the counts are exact. What many rules name is folded once for
 * all of them, and so are contents on which everybody has the same role. `progress` hears of how many contents all is
 * known.
 */
export async function evaluate(
  reading: Reading,
  { ready, audiences }: ReadyRules,
  limit: number,
  progress: (contents: number) => void = () => {},
): Promise<Verdict[]> {
  const verdicts = ready.map((each): Verdict => ({
    ready: each,
    contents: 0,
    breaches: 0,
    listed: [],
    exceptions: each.exceptions.map((exception) => ({ ...exception, excused: 0 })),
  }));
  const room = new Room(verdicts, limit);
  await askOrganization(reading, ready, audiences, verdicts, room);
  const scopes = ready.flatMap(({ scope }) => scope ?? []);
  const groups = new Groups(ready);
  const turn = new Turn();
  let done = 0;
  for await (const keys of scopes.length === 0 ? [] : blocksOf(reading, inAnyOf(scopes))) {
    const [loaded, heads] = await Promise.all([contents(reading, keys), headsOfLadders(reading, keys)]);
    const asked = keys.flatMap((key) => groups.ask(key, loaded, heads));
    const open = groups.takeOpen();
    if (open.size > 0) {
      const ladders = [...open.keys()].map(({ ladder }) => ladder);
      const prune = () => room.prune(asked.map(({ question }) => question));
      await answer(reading, new ContentFolds(ladders, heads), open, audiences, room, prune);
    }
    for (const { key, place, question } of asked) record(verdicts[place], question, key, room);
    done += keys.length;
    progress(done);
    await turn.end();
  }
  return verdicts;
}

type Audiences = ReadyRules["audiences"];

/** Answers the questions on some groups, chunk by chunk. */
async function answer(
  reading: Reading,
  folds: ContentFolds,
  open: ReadonlyMap<Group, readonly Question[]>,
  audiences: Audiences,
  room: Room,
  prune: () => void,
): Promise<void> {
  // Whoever has no role at all breaks a rule that all must have one.
  const everywhere = [...open.values()].flat().some(({ asked }) => asked.rule.how.kind === "all");
  const turn = new Turn();
  for (const chunk of await chunksOf(reading, MEMBERS)) {
    if (!everywhere && !folds.has(chunk.number)) continue;
    const roles = await folds.read(reading, chunk.number);
    const people = await audiences.in(reading, chunk.number);
    const order = await slotOrderOf(reading, MEMBERS, chunk.number);
    for (const [place, [group, own]] of [...open].entries()) {
      for (const question of own) {
        const { from, to } = question.asked.rule;
        const holders = noSlots();
        const at = group.ladder[0]?.content;
        if (!group.direct) roles.addEffective(place, from, to, holders);
        else if (at !== undefined) roles.addDirect(at, from, to, holders);
        question.add(chunk.number, order, holders, people, room.for(question));
      }
    }
    prune();
    await turn.end();
  }
}

/** Asks what is about roles in the organization. */
async function askOrganization(
  reading: Reading,
  ready: readonly ReadyRule[],
  audiences: Audiences,
  verdicts: readonly Verdict[],
  room: Room,
): Promise<void> {
  const asked = ready.flatMap((each, place) =>
    each.scope === undefined ? [{ place, question: new Question(each, countingOn(each)) }] : [],
  );
  if (asked.length === 0) return;
  const names = [null, ...ROLES].map((role) => memberSets.withRole(role));
  const sets = await new NamedSets(MEMBERS, names).open(reading);
  const turn = new Turn();
  for (const chunk of await chunksOf(reading, MEMBERS)) {
    const words = await sets.read(reading, chunk.number);
    const people = await audiences.in(reading, chunk.number);
    const order = await slotOrderOf(reading, MEMBERS, chunk.number);
    for (const { question } of asked) {
      const { from, to } = question.asked.rule;
      question.add(chunk.number, order, union(words.slice(from, to + 1)), people, room.for(question));
    }
    await turn.end();
  }
  for (const { place, question } of asked) record(verdicts[place], question, undefined, room);
}

function union(sets: readonly (Words | undefined)[]): Words {
  const all = noSlots();
  for (const words of sets) addAll(all, words);
  return all;
}

/** Takes the answer on one content into a verdict. */
function record(
  verdict: Verdict | undefined,
  question: Question,
  key: ContentKey | undefined,
  room: Room,
): void {
  if (verdict === undefined) return;
  verdict.contents++;
  verdict.breaches += question.breaches;
  for (const [index, place] of question.exceptions.entries()) {
    const exception = verdict.exceptions[place];
    if (exception !== undefined) exception.excused += question.excusedBy(index);
  }
  const free = room.for(question);
  if (question.breaches === 0 || free === 0) return;
  if (isAboutNumber(question.asked.rule.how)) {
    verdict.listed.push({ key, positions: question.positions, count: question.count });
    return;
  }
  for (const position of question.positions.slice(0, free)) {
    verdict.listed.push({ key, positions: [position], count: undefined });
  }
}

/** Lets others have their turn now and then. */
class Turn {
  #begun = performance.now();

  async end(): Promise<void> {
    if (performance.now() - this.#begun < TURN) return;
    await yieldToEventLoop();
    this.#begun = performance.now();
  }
}
