/**
 * Counts the breaches of each rule at a revision, and lists the first ones. Contents on which everybody has the same role
 * are grouped (`Groups`); a question is a rule on such a group (`RuleQuestion`); questions are answered chunk by chunk.
 */
import { type ContentKey, kindOf } from "../domain/content.ts";
import { ROLES } from "../domain/role.ts";
import type { Head } from "../sets/head.ts";
import { type Words, addAll, countSlots, keepOnly, noSlots, removeAll } from "../sets/words.ts";
import { type Content, contents, headsIn, ladderOf } from "../store/directory/contents.ts";
import { ContentFolds, isGivenDirectly } from "../store/folds.ts";
import { ChunkedSets } from "../store/memory/sets.ts";
import type { Reading } from "../store/reading.ts";
import { blocksOf } from "../store/report.ts";
import { MEMBERS, memberSets } from "../store/schema/set-names.ts";
import { type Chunk, loadChunk } from "../store/memory/chunk.ts";
import { universeIndex } from "../store/memory/universe.ts";
import { giveTurn } from "../store/turns.ts";
import {
  type AskedRule,
  type CountingException,
  type ResolvedException,
  type ResolvedRule,
  type ResolvedRules,
  countingOn,
  inAnyOf,
  isIn,
} from "./resolve.ts";
import { type AccessRule, isAboutNumber } from "./rule.ts";

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

export interface RuleVerdict {
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
): Promise<RuleVerdict[]> {
  const verdicts = resolved.map((each): RuleVerdict => ({
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
  let done = 0;
  for await (const keys of scopes.length === 0 ? [] : blocksOf(reading, inAnyOf(scopes))) {
    const loaded = await contents(reading, keys);
    const heads = headsIn(loaded.values(), await universeIndex(reading, MEMBERS));
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
    await giveTurn();
  }
  return verdicts;
}

async function answer(
  reading: Reading,
  folds: ContentFolds,
  open: ReadonlyMap<ContentGroup, readonly RuleQuestion[]>,
  audiences: ResolvedRules["audiences"],
  breachLimit: BreachLimit,
  prune: () => void,
): Promise<void> {
  // Members without a role break an `all` rule, so chunks in which nobody has a role are read too.
  const needsEveryChunk = [...open.values()].flat().some(({ asked }) => asked.rule.how.kind === "all");
  let left = [...open].map(([group, questions], index) => ({ index, group, questions }));
  const universe = await universeIndex(reading, MEMBERS);
  for (const number of universe.chunks) {
    if (!needsEveryChunk && !folds.has(number)) continue;
    const wanted = left.length === open.size ? undefined : left.map(({ index }) => index);
    const roles = await folds.read(reading, number, wanted);
    const people = await audiences.slotsIn(reading, number);
    const chunk = () => loadChunk(reading, MEMBERS, universe, number);
    for (const { index, group, questions } of left) {
      for (const question of questions) {
        const { from, to } = question.asked.rule;
        const holders = noSlots();
        const at = group.ladder[0]?.content;
        if (!group.direct) roles.addEffective(index, from, to, holders);
        else if (at !== undefined) roles.addDirect(at, from, to, holders);
        await question.add(holders, people, breachLimit.for(question), chunk);
      }
    }
    prune();
    left = left.filter(({ questions }) => !questions.every(({ isSettled }) => isSettled));
    if (left.length === 0) return;
    await giveTurn();
  }
}

async function askOrganization(
  reading: Reading,
  resolved: readonly ResolvedRule[],
  audiences: ResolvedRules["audiences"],
  verdicts: readonly RuleVerdict[],
  breachLimit: BreachLimit,
): Promise<void> {
  const asked = resolved.flatMap((each, index) =>
    each.scope === undefined ? [{ index, question: new RuleQuestion(each, countingOn(each)) }] : [],
  );
  if (asked.length === 0) return;
  const names = [null, ...ROLES].map((role) => memberSets.withRole(role));
  const universe = await universeIndex(reading, MEMBERS);
  const sets = new ChunkedSets(names, (name) => universe.head(name));
  for (const number of universe.chunks) {
    const words = await sets.read(reading, number);
    const people = await audiences.slotsIn(reading, number);
    const chunk = () => loadChunk(reading, MEMBERS, universe, number);
    for (const { question } of asked) {
      const { from, to } = question.asked.rule;
      await question.add(union(words.slice(from, to + 1)), people, breachLimit.for(question), chunk);
    }
    await giveTurn();
  }
  for (const { index, question } of asked) record(verdicts[index], question, undefined, breachLimit);
}

function union(sets: readonly (Words | undefined)[]): Words {
  const all = noSlots();
  for (const words of sets) addAll(all, words);
  return all;
}

function record(
  verdict: RuleVerdict | undefined,
  question: RuleQuestion,
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

/** A rule on one content, or on several on which everybody has the same role. Members are counted chunk by chunk. */
class RuleQuestion {
  readonly asked: AskedRule;
  readonly #exceptions: readonly CountingException[];
  /** How many members break the rule; for a rule that limits a number, how many have the role. */
  count = 0;
  /** How many members each exception excuses. */
  readonly excused: number[];
  /** The positions of the first counted members. */
  positions: number[] = [];

  constructor(asked: AskedRule, exceptions: readonly CountingException[]) {
    this.asked = asked;
    this.#exceptions = exceptions;
    this.excused = exceptions.map(() => 0);
  }

  /** Whether further members change neither the breaches nor what is said about them. */
  get isSettled(): boolean {
    const { how } = this.asked.rule;
    return how.kind === "at least" && this.count >= how.number;
  }

  /** The indexes in the rule of the exceptions that apply here, in the order of `excused`. */
  get exceptions(): readonly number[] {
    return this.#exceptions.map(({ index }) => index);
  }

  /**
   * Counts the members of a chunk. `holders` are those with a role of the rule; the call changes this set. Up to `most`
   * positions are kept, over all calls, in the order of keys that `chunk` loads.
   */
  async add(
    holders: Words,
    audiences: readonly (Words | undefined)[],
    most: number,
    chunk: () => Promise<Chunk>,
  ): Promise<void> {
    const { rule, audience } = this.asked;
    const counted = countedOf(rule, holders, audiences[audience]);
    // An exception to `at least` excuses a content and not members: see `breaches`.
    const isExcused = rule.how.kind !== "at least" && this.#exceptions.length > 0;
    const left = isExcused ? this.#excuse(counted, audiences) : countSlots(counted);
    if (left === 0) return;
    this.count += left;
    if (this.positions.length >= most) return;
    for (const position of (await chunk()).positionsOf(counted)) {
      this.positions.push(position);
      if (this.positions.length === most) return;
    }
  }

  /** Removes the excused members, each by the first exception that applies. Returns the number of the others. */
  #excuse(counted: Words, audiences: readonly (Words | undefined)[]): number {
    let left = countSlots(counted);
    for (const [index, { audience }] of this.#exceptions.entries()) {
      if (left === 0) break;
      const here = audience === undefined ? counted : audiences[audience];
      if (here === undefined) continue;
      removeAll(counted, here);
      const others = here === counted ? 0 : countSlots(counted);
      this.excused[index] = (this.excused[index] ?? 0) + left - others;
      left = others;
    }
    return left;
  }

  /** How many breaches one content has, without those that exceptions excuse. */
  get breaches(): number {
    const { how } = this.asked.rule;
    switch (how.kind) {
      case "at most":
        return this.count > how.number ? 1 : 0;
      case "at least":
        return this.count >= how.number || this.#exceptions.length > 0 ? 0 : 1;
      default:
        return this.count;
    }
  }

  /**
   * How many breaches on one content an exception excuses; for `at least`, the first exception excuses the only one.
   * `index` is that of the exception in `excused`.
   */
  excusedBy(index: number): number {
    const { how } = this.asked.rule;
    if (how.kind !== "at least") return this.excused[index] ?? 0;
    return index === 0 && this.count < how.number ? 1 : 0;
  }
}

function countedOf({ how }: AccessRule, holders: Words, who: Words | undefined): Words {
  switch (how.kind) {
    case "only":
      return removeAll(holders, who);
    case "all":
      return removeAll(addAll(noSlots(), who), holders);
    case "none":
    case "at least":
    case "at most":
      return keepOnly(holders, who);
  }
}

/** Contents with the same answers: the ladder of one of them, and the questions about it. */
interface ContentGroup {
  /** Empty if only direct permissions are asked for and there are none. */
  readonly ladder: readonly Content[];
  readonly direct: boolean;
  /** By rule and exceptions: contents with the same key share a question. */
  readonly questions: Map<string, RuleQuestion>;
}

interface AskedQuestion {
  readonly key: ContentKey;
  /** The index of the rule. */
  readonly index: number;
  readonly question: RuleQuestion;
}

/** Finds the group of each content. A group is kept as long as later contents can belong to it. */
class Groups {
  readonly #rules: readonly ResolvedRule[];
  readonly #known = new Map<string, ContentGroup>();
  /** The questions that are not answered yet, by group. */
  #open = new Map<ContentGroup, RuleQuestion[]>();

  constructor(rules: readonly ResolvedRule[]) {
    this.#rules = rules;
  }

  ask(
    key: ContentKey,
    loaded: ReadonlyMap<ContentKey, Content>,
    heads: ReadonlyMap<string, Head>,
  ): AskedQuestion[] {
    const content = loaded.get(key);
    if (content === undefined) throw new Error(`${key} is not in the revision.`);
    const ladder = ladderOf(content, loaded);
    let effective: ContentGroup | undefined;
    let direct: ContentGroup | undefined;
    return this.#rules.flatMap((resolved, index): AskedQuestion[] => {
      if (resolved.scope === undefined || !isIn(resolved.scope, key)) return [];
      const group = resolved.rule.direct
        ? (direct ??= this.#groupOf(ladder, heads, true))
        : (effective ??= this.#groupOf(ladder, heads, false));
      const counting = countingOn(resolved, key);
      const id = [index, ...counting.map(({ index }) => index)].join(" ");
      let question = group.questions.get(id);
      if (question === undefined) {
        question = new RuleQuestion(resolved, counting);
        group.questions.set(id, question);
        this.#open.set(group, [...(this.#open.get(group) ?? []), question]);
      }
      return [{ key, index, question }];
    });
  }

  /** The questions that were added since the last call. */
  takeOpen(): ReadonlyMap<ContentGroup, readonly RuleQuestion[]> {
    const open = this.#open;
    this.#open = new Map();
    return open;
  }

  #groupOf(ladder: readonly Content[], heads: ReadonlyMap<string, Head>, direct: boolean): ContentGroup {
    const [own] = ladder;
    if (own === undefined) throw new Error("A content has a ladder with itself on it.");
    const deciding = direct
      ? ladder.slice(0, 1).filter(({ content }) => isGivenDirectly(content, heads))
      : ladder.filter(({ content, teams, defaultLevel }) => {
          return defaultLevel !== "inherit" || teams.size > 0 || isGivenDirectly(content, heads);
        });
    const signature = `${direct ? "direct" : "effective"} ${deciding.map(({ content }) => content).join(" ")}`;
    const known = this.#known.get(signature);
    if (known !== undefined) return known;
    const group: ContentGroup = {
      ladder: deciding.length === 0 && direct ? [] : ladder,
      direct,
      questions: new Map(),
    };
    // A group that begins with permissions on the content itself has further contents only if these inherit the
    // permissions: never from a space, and never direct permissions alone.
    const isShared =
      deciding[0]?.content !== own.content || (kindOf(own.content) === "collection" && !direct);
    if (isShared) this.#known.set(signature, group);
    return group;
  }
}

/** How many members a breach of `at most` or `at least` names. */
const MOST_NAMED = 10;

/** Keeps in memory only the members of breaches that are listed. */
class BreachLimit {
  readonly #listed: ReadonlyMap<AccessRule, { readonly length: number }>;
  readonly #limit: number;

  constructor(
    verdicts: readonly {
      readonly resolved: { readonly rule: AccessRule };
      readonly listed: { readonly length: number };
    }[],
    limit: number,
  ) {
    this.#listed = new Map(verdicts.map(({ resolved, listed }) => [resolved.rule, listed]));
    this.#limit = limit;
  }

  /** How many members to keep for a question; 0 once enough breaches of its rule are listed. */
  for({ asked: { rule } }: RuleQuestion): number {
    const left = Math.max(0, this.#limit - (this.#listed.get(rule)?.length ?? 0));
    return isAboutNumber(rule.how) ? Math.min(left, 1) * MOST_NAMED : left;
  }

  /**
   * Drops the members of breaches that exceed the limit of their rule. `asked` is in the order in which breaches are
   * listed.
   */
  prune(asked: Iterable<RuleQuestion>): void {
    const listed = new Map<AccessRule, number>();
    const wanted = new Set<RuleQuestion>();
    const all = new Set<RuleQuestion>();
    for (const question of asked) {
      const { rule } = question.asked;
      const before = listed.get(rule) ?? 0;
      all.add(question);
      if (before >= this.for(question) && !isAboutNumber(rule.how)) continue;
      wanted.add(question);
      listed.set(rule, before + question.positions.length);
    }
    for (const question of all) if (!wanted.has(question)) question.positions = [];
  }
}
