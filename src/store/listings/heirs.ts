/**
 * What a difference on a content is on the contents that inherit from there. A member with a permission on a content
 * itself, or on one between, does not change, because that permission decides first; all other members have the same role
 * as above.
 */
import type { ContentKey } from "../../domain/content.ts";
import { DIRECTIONS, type Effect } from "../../domain/difference.ts";
import type { Head } from "../../sets/head.ts";
import { isList, type Slots } from "../../sets/slots.ts";
import { addAll, countSlots, noSlots, WORDS, type Words } from "../../sets/words.ts";
import type { Content } from "../directory/contents.ts";
import { ChunkedSets } from "../memory/sets.ts";
import { universeIndex } from "../memory/universe.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, memberSets } from "../schema/set-names.ts";
import { Turns } from "../turns.ts";
import type { Differing } from "./difference.ts";

/** What differs on a content in one chunk, in at least one slot. */
export class Part {
  /** The number of the content that was compared. */
  readonly root: number;
  readonly #words: readonly Words[];
  /** The slots that differ in any direction. */
  readonly slots: Words;
  /** How many, by direction as in {@link DIRECTIONS}. */
  readonly counts: number[];

  private constructor(root: number, words: readonly Words[], slots: Words, counts: number[]) {
    this.root = root;
    this.#words = words;
    this.slots = slots;
    this.counts = counts;
  }

  /** `undefined` if nothing differs. */
  static of(root: number, differing: Differing): Part | undefined {
    const words = DIRECTIONS.map((direction) => differing[direction]);
    const counts = words.map(countSlots);
    return counts.every((count) => count === 0)
      ? undefined
      : new Part(root, words, words.reduce(addAll, noSlots()), counts);
  }

  get effect(): Effect {
    const [lost = 0, lowered = 0, raised = 0, gained = 0] = this.counts;
    return { lost, lowered, raised, gained };
  }

  /** What is left without some slots, of which `own` has the words; `undefined` for nothing. `into` receives the slots. */
  without(own: OwnSlots, into: Words): Part | undefined {
    const counts = this.counts.map((count, index) =>
      count === 0 ? 0 : count - own.countIn(this.slots, this.#words[index]),
    );
    if (counts.every((count) => count === 0)) return undefined;
    into.set(this.slots);
    own.removeFrom(into);
    return new Part(this.root, this.#words, into, counts);
  }
}

/** The slots in several sets, with the indexes of the words that have some: usually few. */
class OwnSlots {
  readonly #words = noSlots();
  readonly #touched = new Uint8Array(WORDS);
  #count = 0;

  get isNone(): boolean {
    return this.#count === 0;
  }

  clear(): void {
    for (let at = 0; at < this.#count; at++) this.#words[this.#touched[at] ?? 0] = 0;
    this.#count = 0;
  }

  add(slots: Slots): void {
    if (isList(slots)) {
      for (let at = 0; at < slots.length; at++)
        this.#add((slots[at] ?? 0) >>> 5, 1 << ((slots[at] ?? 0) & 31));
    } else for (let index = 0; index < slots.length; index++) this.#add(index, slots[index] ?? 0);
  }

  #add(index: number, bits: number): void {
    if (bits === 0) return;
    const known = this.#words[index] ?? 0;
    if (known === 0) this.#touched[this.#count++] = index;
    this.#words[index] = known | bits;
  }

  /** The number of these slots that are in both sets. */
  countIn(some: Words, others: Words | undefined): number {
    let count = 0;
    for (let at = 0; at < this.#count; at++) {
      const index = this.#touched[at] ?? 0;
      let word = (this.#words[index] ?? 0) & (some[index] ?? 0) & (others?.[index] ?? 0);
      for (; word !== 0; word &= word - 1) count++;
    }
    return count;
  }

  removeFrom(words: Words): void {
    for (let at = 0; at < this.#count; at++) {
      const index = this.#touched[at] ?? 0;
      words[index] = (words[index] ?? 0) & ~(this.#words[index] ?? 0);
    }
  }
}

/** How many contents are visited in a row, before other work gets a turn. */
const AT_ONCE = 256;

type Heir = Pick<Content, "content" | "teams" | "direct">;

export class Heirs {
  /** The contents by number: parents first. */
  readonly keys: readonly ContentKey[];
  /** The numbers of contents by key. */
  readonly numbers: ReadonlyMap<ContentKey, number>;
  readonly #parents: Int32Array;
  /** The sets of all contents in sequence, and the index at which those of each content begin. */
  readonly #own: Uint32Array;
  readonly #from: Uint32Array;
  readonly #sets: ChunkedSets;
  /** Memory for the parts of contents that others inherit from; one for all others together. */
  readonly #slots: readonly Words[];
  readonly #parts: (Part | undefined)[];
  readonly #taken = new OwnSlots();

  private constructor(contents: readonly Heir[], parents: readonly number[], headOf: (set: string) => Head) {
    this.keys = contents.map(({ content }) => content);
    this.numbers = new Map(this.keys.map((key, number) => [key, number]));
    this.#parents = Int32Array.from(parents);
    const names = new Map<string, number>();
    const heads: Head[] = [];
    const indexOf = (name: string, head: Head): number => {
      const known = names.get(name);
      if (known !== undefined) return known;
      names.set(name, heads.length);
      return heads.push(head) - 1;
    };
    const own: number[] = [];
    this.#from = new Uint32Array(contents.length + 1);
    for (const [number, { content, teams, direct }] of contents.entries()) {
      for (const [role, head] of direct) own.push(indexOf(memberSets.given(content, role), head));
      for (const team of teams.keys()) {
        const name = memberSets.ofTeam(team);
        own.push(indexOf(name, headOf(name)));
      }
      this.#from[number + 1] = own.length;
    }
    this.#own = Uint32Array.from(own);
    this.#sets = new ChunkedSets([...names.keys()], (name) => heads[names.get(name) ?? -1]);
    const shared = noSlots();
    const above = new Set(parents);
    this.#slots = contents.map((_, number) => (above.has(number) ? noSlots() : shared));
    this.#parts = Array.from({ length: contents.length });
  }

  /** The number of the content from which a content inherits; -1 for none. */
  parentOf(number: number): number {
    return this.#parents[number] ?? -1;
  }

  /** The contents of ladders, each up to the topmost one that is compared. Of a ladder without one, none. */
  static async of(
    reading: Reading,
    ladders: Iterable<readonly Heir[]>,
    isCompared: (content: ContentKey) => boolean,
  ): Promise<Heirs> {
    const index = await universeIndex(reading, MEMBERS);
    const numbers = new Map<ContentKey, number>();
    const contents: Heir[] = [];
    const parents: number[] = [];
    for (const ladder of ladders) {
      let parent = -1;
      const top = ladder.findLastIndex(({ content }) => isCompared(content));
      for (const level of ladder.slice(0, top + 1).toReversed()) {
        let number = numbers.get(level.content);
        if (number === undefined) {
          number = contents.push(level) - 1;
          parents.push(parent);
          numbers.set(level.content, number);
        }
        parent = number;
      }
    }
    return new Heirs(contents, parents, (set) => index.head(set));
  }

  /**
   * Calls `use` for each content with a difference in a chunk, parents first. `compared` has the parts of the contents
   * that were compared there, and none for those without a difference. A part is valid until the next call.
   */
  async inChunk(
    reading: Reading,
    chunk: number,
    compared: ReadonlyMap<number, Part | undefined>,
    use: (number: number, part: Part) => void,
  ): Promise<void> {
    const sets = await this.#sets.slotsIn(reading, chunk);
    const turns = new Turns();
    for (let number = 0; number < this.keys.length; number++) {
      if (number % AT_ONCE === 0) await turns.give();
      const above = this.#parts[this.#parents[number] ?? -1];
      const isCompared = compared.has(number);
      const part = isCompared ? compared.get(number) : above && this.#left(number, above, sets);
      this.#parts[number] = part;
      if (part !== undefined) use(number, part);
    }
  }

  #left(number: number, above: Part, sets: readonly (Slots | undefined)[]): Part | undefined {
    const taken = this.#taken;
    taken.clear();
    const end = this.#from[number + 1] ?? 0;
    for (let at = this.#from[number] ?? end; at < end; at++) {
      const slots = sets[this.#own[at] ?? 0];
      if (slots !== undefined) taken.add(slots);
    }
    return taken.isNone ? above : above.without(taken, this.#slots[number] ?? noSlots());
  }
}
