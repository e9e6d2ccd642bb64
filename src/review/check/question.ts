import { positionAt } from "../../sets/position.ts";
import {
  addAll,
  countSlots,
  hasSlot,
  keepOnly,
  noSlots,
  removeAll,
  slotsFrom,
  type Words,
} from "../../sets/words.ts";
import type { SlotOrder } from "../../store/sets/chunks.ts";
import type { Exception, Rule } from "../rules/rule.ts";

/**
 * An exception that has not ended. `index` is its index in the rule; `audience` is the index of its members in the
 * audiences, absent for everybody.
 */
export interface CountingException {
  readonly index: number;
  readonly exception: Exception;
  readonly audience: number | undefined;
}

/** A rule. `audience` is the index of its members in the audiences. */
export interface AskedRule {
  readonly rule: Rule;
  readonly audience: number;
}

/** A rule on one content, or on several on which everybody has the same role. Members are counted chunk by chunk. */
export class Question {
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
   * positions are kept, over all calls.
   */
  add(
    chunk: number,
    order: SlotOrder,
    holders: Words,
    audiences: readonly (Words | undefined)[],
    most: number,
  ): void {
    const { rule, audience } = this.asked;
    const counted = countedOf(rule, holders, audiences[audience]);
    // An exception to `at least` excuses a content and not members: see `breaches`.
    const isExcused = rule.how.kind !== "at least" && this.#exceptions.length > 0;
    const left = isExcused ? this.#excuse(counted, audiences) : countSlots(counted);
    if (left === 0) return;
    this.count += left;
    this.#record(chunk, order, counted, most);
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

  #record(chunk: number, { slots }: SlotOrder, counted: Words, most: number): void {
    if (slots === undefined) {
      for (const slot of slotsFrom(counted)) {
        if (this.positions.length >= most) return;
        this.positions.push(positionAt(chunk, slot));
      }
      return;
    }
    for (const slot of slots) {
      if (this.positions.length >= most) return;
      if (hasSlot(counted, slot)) this.positions.push(positionAt(chunk, slot));
    }
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

function countedOf({ how }: Rule, holders: Words, who: Words | undefined): Words {
  switch (how.kind) {
    case "only":
      return removeAll(holders, who);
    case "all":
      return removeAll(addAll(noSlots(), who), holders);
    default:
      return keepOnly(holders, who);
  }
}
