/** Two states of an organization with the changed records between them: who differs, what decided, and what caused it. */
import { causesOf, climb, type Climbed } from "../domain/causes.ts";
import type { AccessChanges, ChangedRecord } from "../domain/changed-record.ts";
import type { ContentKey } from "../domain/content.ts";
import type { DifferenceFilter } from "../domain/difference-filter.ts";
import type { Ladder } from "../domain/ladder.ts";
import { align } from "./aligned.ts";
import type { TwoStates } from "./candidates.ts";
import { findContent, keyOf, memberId, type Model, NOTHING } from "./model.ts";
import { ABSENT } from "./numbering.ts";
import { ladderOn, rightsOn } from "./why.ts";

export interface Comparison extends TwoStates {
  readonly changes: AccessChanges;
  /** Whether the state before is the later one, so that the comparison shows changes undone. */
  readonly isUndone: boolean;
  readonly filter: DifferenceFilter;
}

export function* compared(
  before: Model,
  after: Model,
  rest: Omit<Comparison, keyof TwoStates>,
): Generator<void, Comparison> {
  return { before, after, aligned: yield* align(before, after), ...rest };
}

/** Sorts what belongs to the two states by time. */
export function inTime<Value>(
  { isUndone }: Pick<Comparison, "isUndone">,
  had: Value,
  has: Value,
): [earlier: Value, later: Value] {
  return isUndone ? [has, had] : [had, has];
}

/** The key of a content by its common number. */
export function commonKey({ before, after, aligned: { contents } }: TwoStates, x: number): ContentKey {
  const now = contents.now[x] ?? ABSENT;
  return now === ABSENT ? keyOf(before, contents.was[x] ?? 0) : keyOf(after, now);
}

/** The common number of a content; `undefined` if neither state has it. */
export function findCommon({ before, after, aligned }: TwoStates, key: ContentKey): number | undefined {
  const now = findContent(after, key);
  if (now !== undefined) return aligned.contents.ofNow[now];
  const was = findContent(before, key);
  return was === undefined ? undefined : aligned.contents.ofWas[was];
}

/** A person by the numbers in both states, or {@link ABSENT}. */
export interface OfBoth {
  readonly was: number;
  readonly now: number;
}

export function personOf({ aligned: { people } }: TwoStates, person: number): OfBoth {
  return { was: people.was[person] ?? ABSENT, now: people.now[person] ?? ABSENT };
}

export function idOfBoth({ before, after }: TwoStates, { was, now }: OfBoth): string {
  return now === ABSENT ? memberId(before, was) : memberId(after, now);
}

/** Whether a person is a guest in one of the two states. */
export function isGuest({ before, after }: TwoStates, { was, now }: OfBoth): boolean {
  return (
    (was !== ABSENT && before.members.roles[was] === NOTHING) ||
    (now !== ABSENT && after.members.roles[now] === NOTHING)
  );
}

/** Whether a person joined, left, or has another organization role. */
export function isApart({ before, after }: TwoStates, { was, now }: OfBoth): boolean {
  return was === ABSENT || now === ABSENT || before.members.roles[was] !== after.members.roles[now];
}

const MOST_LADDERS = 5_000;

/** How both states decide for one person on a content after the other. */
export class Climbs {
  readonly #comparison: Comparison;
  readonly #before = new Map<number, Ladder>();
  readonly #after = new Map<number, Ladder>();

  constructor(comparison: Comparison) {
    this.#comparison = comparison;
  }

  of(content: number, person: OfBoth): { had: Climbed | undefined; has: Climbed | undefined } {
    const { before, after, aligned } = this.#comparison;
    const { was, now } = aligned.contents;
    return {
      had: climbIn(before, was[content] ?? ABSENT, person.was, this.#before),
      has: climbIn(after, now[content] ?? ABSENT, person.now, this.#after),
    };
  }

  /** The causes of a person's difference on a content. */
  causes(content: number, person: OfBoth, { had, has } = this.of(content, person)): ChangedRecord[] {
    const { changes } = this.#comparison;
    const of = { user: idOfBoth(this.#comparison, person), content: commonKey(this.#comparison, content) };
    return causesOf(changes, of, ...inTime(this.#comparison, had, has));
  }
}

function climbIn(
  model: Model,
  content: number,
  member: number,
  ladders: Map<number, Ladder>,
): Climbed | undefined {
  if (content === ABSENT || member === ABSENT) return undefined;
  let ladder = ladders.get(content);
  if (ladder === undefined) {
    ladder = ladderOn(model, content);
    if (ladders.size === MOST_LADDERS) ladders.clear();
    ladders.set(content, ladder);
  }
  return climb(ladder, rightsOn(model, member, content));
}
