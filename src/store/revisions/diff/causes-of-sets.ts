/**
 * Finds the causes of the differences in a chunk, on a root and on the branches below it: `causes.ts` for sets of
 * members.
 */
import type { ContentKey } from "../../../domain/content.ts";
import type { Ladder, Rule } from "../../../domain/ladder.ts";
import { rank } from "../../../domain/role.ts";
import {
  addAll,
  addSlot,
  hasSlot,
  isNone,
  keepOnly,
  noSlots,
  removeAll,
  removeSlot,
  type Words,
} from "../../../sets/words.ts";
import type { QueryLadder } from "../../folds.ts";
import type { ChunkSlots } from "../../memory/sets.ts";
import { explains, isAhead, saysOtherLevel } from "./causes.ts";
import { type ChangedRecord, compareCauses } from "./log.ts";
import type { Candidate, RootFold } from "./plan.ts";

/** A changed record, and the members of a chunk whose difference it causes. */
export interface Cause {
  readonly record: ChangedRecord;
  /** One slot, or a set of slots. */
  readonly whom: number | Words;
}

/** A root at one revision. */
export interface RootThen {
  /** `undefined` if the content does not exist. */
  readonly ladder: QueryLadder | undefined;
  /** The sets of the chunk. */
  readonly sets: ChunkSlots;
}

/** The causes of the differing slots of a chunk, in the order of causes. */
export function causesIn(
  { content, candidates, records }: RootFold,
  chunk: number,
  sides: readonly [earlier: RootThen, later: RootThen],
  differing: Words,
): Cause[] {
  const here = candidates.filter(
    ({ user }) => user === undefined || (user.chunk === chunk && hasSlot(differing, user.slot)),
  );
  const [only] = here;
  if (only !== undefined && records === 1)
    return [{ record: only.record, whom: only.user?.slot ?? differing }];
  const found = new SetCauses(here, sides);
  const [earlier, later] = sides;
  const thing = here.find(({ record }) => record.content === content && record.kind !== "permission")?.record;
  if (later.ladder === undefined) found.add(thing, differing);
  else found.compare(differing);
  if (earlier.ladder === undefined) found.addContent(thing, differing);
  return found.sorted();
}

/** The members of a chunk whose roles are decided by the same rule on the same content. */
interface Decided {
  /** The index of the content on the ladder: -1 for the rule `admin`, and the ladder's length for `organization`. */
  readonly level: number;
  readonly content: ContentKey | undefined;
  readonly rule: Rule;
  /** The rank of the role if the rule is `team`, else 0. */
  readonly rank: number;
  readonly slots: Words;
}

class SetCauses {
  readonly #candidates: readonly Candidate[];
  readonly #earlier: RootThen;
  readonly #later: RootThen;
  readonly #found = new Map<ChangedRecord, number | Words>();

  constructor(candidates: readonly Candidate[], [earlier, later]: readonly [RootThen, RootThen]) {
    this.#candidates = candidates;
    this.#earlier = earlier;
    this.#later = later;
  }

  compare(differing: Words): void {
    const [from, to] = [this.#earlier.ladder?.levels, this.#later.ladder?.levels ?? []];
    const indexes = indexesOf(differing);
    const now = decidedIn(this.#later, differing, indexes);
    for (const decided of now) this.#addRecords(decided, "becomes", to);
    if (from === undefined) return;
    const fork = forkOf(from, to);
    for (const was of decidedIn(this.#earlier, differing, indexes)) {
      for (const is of now) {
        if (!indexes.some((index) => ((was.slots[index] ?? 0) & (is.slots[index] ?? 0)) !== 0)) continue;
        const slots = keepOnly(was.slots.slice(), is.slots);
        const isSamePlace = was.content === is.content;
        if (was.level >= fork && is.level >= fork && !isSamePlace)
          this.#addMoved(to[fork - 1]?.content, slots);
        else if (isSamePlace ? isAhead(was, is) : was.level < is.level) {
          this.#addRecords({ ...was, slots }, "was", from);
        }
      }
    }
  }

  /** Adds the changed records of what decides at one of the two revisions. */
  #addRecords(decided: Decided, then: "was" | "becomes", levels: Ladder): void {
    const { level, content, rule, slots } = decided;
    for (const { record, at, team, user } of this.#candidates) {
      if (at !== content || record[then] === undefined) continue;
      if (user !== undefined) {
        const role = levels[level]?.teams.get(record.team ?? "");
        const isBehind =
          record.kind === "permission"
            ? rule === "direct"
            : role !== undefined && rank(role) === decided.rank;
        if (isBehind && hasSlot(slots, user.slot)) this.#found.set(record, user.slot);
      } else if (team === undefined) {
        if (rule === "default" && saysOtherLevel(record)) this.add(record, slots);
      } else if (rule === "team" && Number(record[then]) === decided.rank) {
        const whom = slots.slice();
        if (then === "was") keepOnly(whom, this.#earlier.sets[team.earlier]);
        // The permission of a team says nothing about a user who left the team, unless it is gone, too.
        if (record.becomes !== undefined) keepOnly(whom, this.#later.sets[team.later]);
        this.add(record, whom);
      }
    }
  }

  #addMoved(content: ContentKey | undefined, slots: Words): void {
    for (const { record, at, team, user } of this.#candidates) {
      if (at === content && team === undefined && user === undefined) this.add(record, slots);
    }
  }

  /** Adds that the content was added, for the slots that no other cause explains. */
  addContent(thing: ChangedRecord | undefined, differing: Words): void {
    if (thing === undefined) return;
    const whom = differing.slice();
    for (const [record, slots] of this.#found) {
      if (!explains(record, thing)) continue;
      if (typeof slots === "number") removeSlot(whom, slots);
      else removeAll(whom, slots);
    }
    this.add(thing, whom);
  }

  add(record: ChangedRecord | undefined, slots: Words): void {
    if (record === undefined || isNone(slots)) return;
    const known = this.#found.get(record);
    this.#found.set(record, addAll(slots.slice(), typeof known === "number" ? undefined : known));
  }

  sorted(): Cause[] {
    const found = [...this.#found].map(([record, whom]) => ({ record, whom }));
    return found.sort((a, b) => compareCauses(a.record, b.record));
  }
}

/** The indexes of the words that have slots: few words, and most steps of a ladder have none of them. */
function indexesOf(slots: Words): number[] {
  return [...slots.keys()].filter((index) => slots[index] !== 0);
}

/** Divides slots by what decides their roles at a revision. `indexes` are those of {@link indexesOf}. */
function decidedIn({ ladder, sets }: RootThen, slots: Words, indexes: readonly number[]): Decided[] {
  if (ladder === undefined) return [];
  const { levels, steps } = ladder;
  const places = new Map(levels.map(({ content }, level) => [content, level]));
  const left = slots.slice();
  const found = new Map<string, Decided>();
  const decided = (rule: Rule, level: number, place: number): Words => {
    const name = `${rule} ${level} ${place}`;
    const made = found.get(name) ?? {
      level,
      content: levels[level]?.content,
      rule,
      rank: place,
      slots: noSlots(),
    };
    found.set(name, made);
    return made.slots;
  };
  for (const { set, result, source } of steps) {
    const members = sets[set];
    if (members === undefined || source === undefined) continue;
    let into: Words | undefined;
    for (const index of indexes) {
      const own = (members[index] ?? 0) & (left[index] ?? 0);
      if (own === 0) continue;
      const level =
        "content" in source ? places.get(source.content) : source.rule === "admin" ? -1 : levels.length;
      into ??= decided(source.rule, level ?? -1, source.rule === "team" ? result : 0);
      into[index] = (into[index] ?? 0) | own;
      left[index] = (left[index] ?? 0) & ~own;
    }
  }
  // Nothing gives the others a role: the last content is closed, or they are guests.
  const last = levels.length - 1;
  const isOpen = levels[last]?.defaultLevel === "inherit";
  addAll(isOpen ? decided("organization", levels.length, 0) : decided("default", last, 0), left);
  return [...found.values()];
}

/** The number of contents with which both ladders begin, if they part because a content was moved; else infinity. */
function forkOf(from: Ladder, to: Ladder): number {
  const parting = from.findIndex(({ content }, index) => content !== to[index]?.content);
  const shared = parting === -1 ? from.length : parting;
  return shared === from.length && shared === to.length ? Number.POSITIVE_INFINITY : shared;
}

/** The slots that at least one of the changed records affects. */
export function concernedBy(causes: readonly Cause[]): Words {
  const all = noSlots();
  for (const { whom } of causes) {
    if (typeof whom === "number") addSlot(all, whom);
    else addAll(all, whom);
  }
  return all;
}

/** Whether a changed record is a cause for a slot in `all` that is not in `without`. */
export function concerns({ whom }: Cause, all: Words, without?: Words): boolean {
  if (typeof whom === "number") {
    return hasSlot(all, whom) && (without === undefined || !hasSlot(without, whom));
  }
  for (let index = 0; index < all.length; index++) {
    if (((all[index] ?? 0) & (whom[index] ?? 0) & ~(without?.[index] ?? 0)) !== 0) return true;
  }
  return false;
}
