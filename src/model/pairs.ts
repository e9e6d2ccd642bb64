/**
 * The rows of a comparison: one for each user and content whose effective role differs, with both decisions and the
 * causes.
 */
import type { Climbed } from "../domain/causes.ts";
import type { ChangedRecord } from "../domain/changed-record.ts";
import { type ContentKey, idOf, kindOf } from "../domain/content.ts";
import { type Direction, DIRECTIONS } from "../domain/difference.ts";
import { keptDirection } from "../domain/difference-filter.ts";
import { compareIds } from "../domain/id.ts";
import { decide, type Rule } from "../domain/ladder.ts";
import { type ContentRef, plain, reasonOf } from "../domain/reason.ts";
import { rank, type Role } from "../domain/role.ts";
import type { Person } from "../domain/why.ts";
import {
  type CandidateLists,
  type GivenToTeams,
  listsOf,
  teamPermissions,
  type TwoStates,
  whoMayDiffer,
} from "./candidates.ts";
import {
  Climbs,
  commonKey,
  type Comparison,
  findCommon,
  idOfBoth,
  isApart,
  isGuest,
  type OfBoth,
  personOf,
} from "./comparison.ts";
import { contentNames } from "./difference-names.ts";
import { type EachDifference, kindsFor, Walk } from "./differences.ts";
import { type Model, NOTHING } from "./model.ts";
import { ABSENT } from "./numbering.ts";
import { personIn, titlesIn } from "./records.ts";
import { eachContentOf, isExceptional, marked, userOf, withAround } from "./summary.ts";

/** A role, and why the user has it, in a few words. */
export interface Held {
  readonly role: Role;
  readonly reason: string;
  readonly rule: Rule;
}

export interface DiffRow {
  readonly content: ContentRef;
  /** The titles of the content's ancestors, topmost first. */
  readonly path: readonly string[];
  readonly user: Person;
  readonly before: Held | undefined;
  readonly after: Held | undefined;
  readonly direction: Direction;
  readonly causes: readonly ChangedRecord[];
}

/** Some rows, and how many of how many contents are done. */
export interface Rows {
  readonly rows: readonly DiffRow[];
  readonly done: number;
  readonly of: number;
}

/** How many rows are made until others get a turn: a few milliseconds. */
const ROWS_A_TURN = 100;
/** How many pairs are named at once. */
const PAIRS_AT_ONCE = 1_000_000;

/**
 * The contents on which some users differ, by kind and id, with a row for each of the users, by id; nothing where others
 * may have a turn. With `behind`, only contents that come after this one.
 */
export function* rowsOfUsers(
  comparison: Comparison,
  users: readonly string[],
  {
    among,
    behind,
  }: { readonly among?: Iterable<ContentKey> | undefined; readonly behind?: string | undefined } = {},
): Generator<Rows | undefined> {
  const contents = among && marked(comparison, among);
  const found = new Map<number, OfBoth[]>();
  for (const id of users.toSorted(compareIds)) {
    const user = userOf(comparison, id);
    eachContentOf(comparison, user, (content) => {
      if (contents?.[content] === 0) return;
      const known = found.get(content);
      if (known === undefined) found.set(content, [user]);
      else known.push(user);
    });
    yield undefined;
  }
  const made = new RowMaker(comparison);
  const listed = inOrder(comparison, found.keys(), behind);
  for (const [done, content] of listed.entries()) {
    const rows = (found.get(content) ?? []).flatMap((user) => made.of(content, user) ?? []);
    yield { rows, done, of: listed.length };
  }
  yield { rows: [], done: listed.length, of: listed.length };
}

/** The rows of some users on one content, by id. */
export function* rowsOnContent(
  comparison: Comparison,
  key: ContentKey,
  users: readonly string[],
): Generator<readonly DiffRow[]> {
  const content = findCommon(comparison, key);
  if (content === undefined) return;
  const made = new RowMaker(comparison);
  for (const id of users.toSorted(compareIds)) {
    const row = made.of(content, userOf(comparison, id));
    yield row === undefined ? [] : [row];
  }
}

/** How many people differ on each content, and what naming them takes. */
export interface CountedPairs {
  readonly total: number;
  /** By content and direction (`differences.ts`). */
  readonly sums: Uint32Array;
  readonly comparison: Comparison;
  readonly given: GivenToTeams;
  readonly candidates: Uint32Array;
  readonly lists: CandidateLists;
}

/** Counts all pairs that pass the filter, whatever caused them; with `among`, those on these contents. */
export function* countedPairs(
  comparison: Comparison,
  among?: Iterable<ContentKey>,
  progress?: (part: number) => void,
): Generator<void, CountedPairs> {
  const { filter } = comparison;
  const contents = among && marked(comparison, among);
  const given = yield* teamPermissions(comparison, contents && withAround(comparison, contents));
  let candidates = yield* whoMayDiffer(comparison, given);
  if (filter.guests === true)
    candidates = candidates.filter((person) => isGuest(comparison, personOf(comparison, person)));
  const lists = yield* listsOf(comparison, candidates);
  const walk = new Walk(comparison, given, candidates, lists, {
    kinds: kindsFor(filter),
    contents,
    progress,
  });
  yield* walk.run();
  const { sums } = walk;
  const total = sums.reduce((all, people) => all + people, 0);
  return { total, sums, comparison, given, candidates, lists };
}

/**
 * The rows of counted pairs, by content, then by user; nothing where others may have a turn. With `behind`, of each
 * content only users who come after this one.
 */
export function* rowsOfPairs(
  { sums, comparison, given, candidates, lists }: CountedPairs,
  behind?: string,
): Generator<Rows | undefined> {
  const made = new RowMaker(comparison);
  const kinds = kindsFor(comparison.filter);
  const listed = inOrder(comparison, contentsIn(sums));
  for (let done = 0; done < listed.length;) {
    const block: number[] = [];
    const contents = new Uint8Array(comparison.aligned.contents.count);
    for (let pairs = 0; pairs < PAIRS_AT_ONCE && done + block.length < listed.length;) {
      const content = listed[done + block.length] ?? 0;
      contents[content] = 1;
      block.push(content);
      pairs += sums.subarray(KINDS * content, KINDS * (content + 1)).reduce((all, people) => all + people, 0);
    }
    const people = new Map<number, number[]>(block.map((content) => [content, []]));
    const each: EachDifference = (content, person) => void people.get(content)?.push(person);
    yield* inTurns(new Walk(comparison, given, candidates, lists, { kinds, contents, each }).run());
    for (const content of block) {
      const all = people.get(content) ?? [];
      for (let at = 0; at < all.length; at += ROWS_A_TURN) {
        const rows = all.slice(at, at + ROWS_A_TURN).flatMap((person) => {
          const user = personOf(comparison, person);
          const isWanted = behind === undefined || compareIds(idOfBoth(comparison, user), behind) > 0;
          return isWanted ? (made.of(content, user) ?? []) : [];
        });
        yield { rows, done, of: listed.length };
      }
      done++;
    }
  }
  yield { rows: [], done: listed.length, of: listed.length };
}

/** Gives others a turn wherever `work` does. */
function* inTurns<Result>(work: Generator<void, Result>): Generator<undefined, Result> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    yield undefined;
  }
}

const KINDS = DIRECTIONS.length;

/** The contents with a sum. */
function* contentsIn(sums: Uint32Array): Generator<number> {
  for (let content = 0; KINDS * content < sums.length; content++) {
    const own = sums.subarray(KINDS * content, KINDS * (content + 1));
    if (own.some((people) => people > 0)) yield content;
  }
}

/** Sorts contents by kind and id. With `behind`, only those after this key. */
function inOrder(states: TwoStates, contents: Iterable<number>, behind?: string): number[] {
  return Array.from(contents, (content) => ({ content, key: commonKey(states, content) }))
    .filter(({ key }) => behind === undefined || compareIds(key, behind) > 0)
    .sort((a, b) => compareIds(a.key, b.key))
    .map(({ content }) => content);
}

class RowMaker {
  readonly #comparison: Comparison;
  readonly #climbs: Climbs;
  readonly #nameOf: ReturnType<typeof contentNames>;

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
    this.#climbs = new Climbs(comparison);
    this.#nameOf = contentNames(comparison.before, comparison.after);
  }

  /** The row of a user on a content; `undefined` if there is no difference that passes the filter. */
  of(content: number, user: OfBoth): DiffRow | undefined {
    const { before, after, filter } = this.#comparison;
    const climbed = this.#climbs.of(content, user);
    const { had, has } = climbed;
    const isOfGuest = isGuest(this.#comparison, user);
    const direction = keptDirection(filter, rankOf(had), rankOf(has), isOfGuest);
    if (direction === undefined || (filter.counted === true && !this.#isCounted(user, has))) return undefined;
    const causes = this.#climbs.causes(content, user, climbed);
    if (filter.causedBy !== undefined && !causes.some(filter.causedBy)) return undefined;
    const key = commonKey(this.#comparison, content);
    const { title = key, path = [] } = this.#nameOf(key) ?? {};
    return {
      content: { kind: kindOf(key), id: idOf(key), title },
      path,
      user: user.now === ABSENT ? personIn(before, user.was) : personIn(after, user.now),
      before: heldOf(key, had, before),
      after: heldOf(key, has, after),
      direction,
      causes,
    };
  }

  /** Whether the summary counts a user on the content: see `ContentDifference`. */
  #isCounted(user: OfBoth, has: Climbed | undefined): boolean {
    if (!isApart(this.#comparison, user)) return true;
    return user.was === ABSENT && has !== undefined && isExceptional({}, usualRank(has), rankOf(has));
  }
}

/** The rank that an organization role and the default levels give without a permission. */
function usualRank({ ladder, member }: Climbed): number {
  const usual = decide(ladder, { role: member.role, teams: [], direct: new Map() });
  return usual === undefined ? NOTHING : rank(usual.role);
}

function rankOf(climbed: Climbed | undefined): number {
  return climbed?.decision === undefined ? NOTHING : rank(climbed.decision.role);
}

function heldOf(key: ContentKey, climbed: Climbed | undefined, model: Model): Held | undefined {
  const decision = climbed?.decision;
  if (decision === undefined) return undefined;
  const { role, rule } = decision;
  return { role, reason: plain(reasonOf(key, decision, titlesIn(model)).because), rule };
}
