/** Counts the breaches of each rule at a revision, and lists the first ones. */
import type { ContentKey } from "../../domain/content.ts";
import { ROLES } from "../../domain/role.ts";
import { addAll, noSlots, type Words } from "../../sets/words.ts";
import { chunksOf, slotOrderOf } from "../../store/sets/chunks.ts";
import { contents, headsOfLadders } from "../../store/directory/inheritance.ts";
import { ContentFolds } from "../../store/folds/content-folds.ts";
import type { Reading } from "../../store/reading.ts";
import { blocksOf } from "../../store/reports/report-scope.ts";
import { MEMBERS, memberSets } from "../../store/schema/set-names.ts";
import { openSets } from "../../store/sets/set-store.ts";
import { isAboutNumber } from "../rules/rule.ts";
import { countingOn, type ResolvedException, type ResolvedRule, type ResolvedRules } from "./resolve.ts";
import { type Group, Groups } from "./groups.ts";
import { Question } from "./question.ts";
import { BreachLimit } from "./breach-limit.ts";
import { inAnyOf } from "./scope.ts";
import { Turns } from "../../store/turns.ts";

/** A member who breaks a rule, or a content on which too many or too few members have a role. */
export interface Breach {
  /** Absent for a rule about the organization. */
  readonly key: ContentKey | undefined;
  /**
   * The position of the member who breaks the rule. For a rule that limits a number: the positions of the first members
   * who have the role.
   */
  readonly positions: readonly number[];
  /** How many members have the role, for a rule that limits a number. */
  readonly count: number | undefined;
}

export interface Verdict {
  readonly resolved: ResolvedRule;
  /** On how many contents the rule was checked; 1 for the organization. */
  contents: number;
  breaches: number;
  /** The first breaches, by content, then by user. */
  readonly listed: Breach[];
  readonly exceptions: readonly (ResolvedException & { excused: number })[];
}

/**
 * Checks rules: counts all breaches of each rule and lists up to `limit` of them. A content that several rules name is
 * folded once. Contents on which everybody has the same role are folded together. `progress` receives how many contents
 * are done.
 */
export async function evaluate(
  reading: Reading,
  { resolved, audiences }: ResolvedRules,
  limit: number,
  progress: (contents: number) => void = () => {},
): Promise<Verdict[]> {
  const verdicts = resolved.map((each): Verdict => ({
    resolved: each,
    contents: 0,
    breaches: 0,
    listed: [],
    exceptions: each.exceptions.map((exception) => ({ ...exception, excused: 0 })),
  }));
  const breachLimit = new BreachLimit(verdicts, limit);
  await askOrganization(reading, resolved, audiences, verdicts, breachLimit);
  const scopes = resolved.flatMap(({ scope }) => scope ?? []);
  const groups = new Groups(resolved);
  const turns = new Turns();
  let done = 0;
  for await (const keys of scopes.length === 0 ? [] : blocksOf(reading, inAnyOf(scopes))) {
    const [loaded, heads] = await Promise.all([contents(reading, keys), headsOfLadders(reading, keys)]);
    const asked = keys.flatMap((key) => groups.ask(key, loaded, heads));
    const open = groups.takeOpen();
    if (open.size > 0) {
      const ladders = [...open.keys()].map(({ ladder }) => ladder);
      const prune = () => breachLimit.prune(asked.map(({ question }) => question));
      await answer(reading, new ContentFolds(ladders, heads), open, audiences, breachLimit, prune);
    }
    for (const { key, index, question } of asked) record(verdicts[index], question, key, breachLimit);
    done += keys.length;
    progress(done);
    await turns.give();
  }
  return verdicts;
}

type Audiences = ResolvedRules["audiences"];

async function answer(
  reading: Reading,
  folds: ContentFolds,
  open: ReadonlyMap<Group, readonly Question[]>,
  audiences: Audiences,
  breachLimit: BreachLimit,
  prune: () => void,
): Promise<void> {
  // Members without a role break an `all` rule, so chunks in which nobody has a role are read too.
  const needsEveryChunk = [...open.values()].flat().some(({ asked }) => asked.rule.how.kind === "all");
  const turns = new Turns();
  let left = [...open].map(([group, questions], index) => ({ index, group, questions }));
  for (const chunk of await chunksOf(reading, MEMBERS)) {
    if (!needsEveryChunk && !folds.has(chunk.number)) continue;
    const wanted = left.length === open.size ? undefined : left.map(({ index }) => index);
    const roles = await folds.read(reading, chunk.number, wanted);
    const people = await audiences.slotsIn(reading, chunk.number);
    const order = await slotOrderOf(reading, MEMBERS, chunk.number);
    for (const { index, group, questions } of left) {
      for (const question of questions) {
        const { from, to } = question.asked.rule;
        const holders = noSlots();
        const at = group.ladder[0]?.content;
        if (!group.direct) roles.addEffective(index, from, to, holders);
        else if (at !== undefined) roles.addDirect(at, from, to, holders);
        question.add(chunk.number, order, holders, people, breachLimit.for(question));
      }
    }
    prune();
    left = left.filter(({ questions }) => !questions.every(({ isSettled }) => isSettled));
    if (left.length === 0) return;
    await turns.give();
  }
}

async function askOrganization(
  reading: Reading,
  resolved: readonly ResolvedRule[],
  audiences: Audiences,
  verdicts: readonly Verdict[],
  breachLimit: BreachLimit,
): Promise<void> {
  const asked = resolved.flatMap((each, index) =>
    each.scope === undefined ? [{ index, question: new Question(each, countingOn(each)) }] : [],
  );
  if (asked.length === 0) return;
  const names = [null, ...ROLES].map((role) => memberSets.withRole(role));
  const sets = await openSets(reading, MEMBERS, names);
  const turns = new Turns();
  for (const chunk of await chunksOf(reading, MEMBERS)) {
    const words = await sets.read(reading, chunk.number);
    const people = await audiences.slotsIn(reading, chunk.number);
    const order = await slotOrderOf(reading, MEMBERS, chunk.number);
    for (const { question } of asked) {
      const { from, to } = question.asked.rule;
      question.add(chunk.number, order, union(words.slice(from, to + 1)), people, breachLimit.for(question));
    }
    await turns.give();
  }
  for (const { index, question } of asked) record(verdicts[index], question, undefined, breachLimit);
}

function union(sets: readonly (Words | undefined)[]): Words {
  const all = noSlots();
  for (const words of sets) addAll(all, words);
  return all;
}

function record(
  verdict: Verdict | undefined,
  question: Question,
  key: ContentKey | undefined,
  breachLimit: BreachLimit,
): void {
  if (verdict === undefined) return;
  verdict.contents++;
  verdict.breaches += question.breaches;
  for (const [index, inRule] of question.exceptions.entries()) {
    const exception = verdict.exceptions[inRule];
    if (exception !== undefined) exception.excused += question.excusedBy(index);
  }
  const free = breachLimit.for(question);
  if (question.breaches === 0 || free === 0) return;
  if (isAboutNumber(question.asked.rule.how)) {
    verdict.listed.push({ key, positions: question.positions, count: question.count });
    return;
  }
  for (const position of question.positions.slice(0, free)) {
    verdict.listed.push({ key, positions: [position], count: undefined });
  }
}
