/**
 * What a difference on a content is on the contents that inherit from there. A member with a permission on a content
 * itself, or on one between, does not change, because that permission decides first; all other members have the same role
 * as above.
 */
import type { ContentKey } from "../../domain/content.ts";
import { DIRECTIONS, type Effect } from "../../domain/difference.ts";
import type { Head } from "../../sets/head.ts";
import { isList, type Slots } from "../../sets/slots.ts";
import { addAll, countSlots, isNone, noSlots, WORDS, type Words } from "../../sets/words.ts";
import type { Content } from "../directory/contents.ts";
import { ChunkedSets } from "../memory/sets.ts";
import { universeIndex } from "../memory/universe.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, memberSets } from "../schema/set-names.ts";
import { giveTurn } from "../turns.ts";
import type { Differing } from "./difference.ts";

/** What differs on a content in one chunk, in at least one slot. */
export class Part {
  /** The number of the content that was compared. */
  root: number;
  #words: readonly Words[];
  /** The slots that differ in any direction. */
  readonly slots: Words;
  /** How many, by direction as in {@link DIRECTIONS}. */
  readonly counts: number[];

  constructor(root = -1, words: readonly Words[] = [], slots = noSlots()) {
    this.root = root;
    this.#words = words;
    this.slots = slots;
    this.counts = DIRECTIONS.map((_, index) => countSlots(words[index] ?? NOBODY));
  }

  /** `undefined` if nothing differs. */
  static of(root: number, differing: Differing): Part | undefined {
    const words = DIRECTIONS.map((direction) => differing[direction]);
    const part = new Part(root, words, words.reduce(addAll, noSlots()));
    return part.counts.every((count) => count === 0) ? undefined : part;
  }

  get effect(): Effect {
    const [lost = 0, lowered = 0, raised = 0, gained = 0] = this.counts;
    return { lost, lowered, raised, gained };
  }

  /** Becomes another part without the taken slots. Returns whether anything is left. */
  become(above: Part, taken: TakenSlots): boolean {
    this.root = above.root;
    this.#words = above.#words;
    let left = 0;
    for (let index = 0; index < this.counts.length; index++) {
      const count = above.counts[index] ?? 0;
      this.counts[index] = count === 0 ? 0 : count - taken.countIn(above.slots, this.#words[index] ?? NOBODY);
      left += this.counts[index] ?? 0;
    }
    if (left === 0) return false;
    this.slots.set(above.slots);
    taken.removeFrom(this.slots);
    return true;
  }
}

const NOBODY: Words = new Uint32Array();

/**
 * The words of each set of a chunk that have differing slots, in sequence. Very many contents have the same sets, so each
 * is read once, and what does not differ is left out.
 */
class DifferingSets {
  readonly indexes: number[] = [];
  readonly bits: number[] = [];
  /** Where the words of each set begin and end. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  #present: number[] = [];

  constructor(size: number) {
    this.from = new Uint32Array(size);
    this.to = new Uint32Array(size);
  }

  read(sets: readonly (Slots | undefined)[], differing: Words): void {
    for (const set of this.#present) this.to[set] = this.from[set] = 0;
    this.#present = [];
    let end = 0;
    sets.forEach((slots, set) => {
      if (slots === undefined) return;
      const begin = end;
      const add = (index: number, bits: number) => {
        const found = bits & (differing[index] ?? 0);
        if (found === 0) return;
        this.indexes[end] = index;
        this.bits[end++] = found;
      };
      if (isList(slots)) for (const slot of slots) add(slot >>> 5, 1 << (slot & 31));
      else for (let index = 0; index < slots.length; index++) add(index, slots[index] ?? 0);
      if (end === begin) return;
      this.from[set] = begin;
      this.to[set] = end;
      this.#present.push(set);
    });
  }
}

/** The slots in several sets, with the indexes of the words that have some: usually few. */
class TakenSlots {
  readonly #words = noSlots();
  readonly #touched = new Uint16Array(WORDS);
  #count = 0;

  get isNone(): boolean {
    return this.#count === 0;
  }

  clear(): void {
    for (let at = 0; at < this.#count; at++) this.#words[this.#touched[at] ?? 0] = 0;
    this.#count = 0;
  }

  add(index: number, bits: number): void {
    const known = this.#words[index] ?? 0;
    if (known === 0) this.#touched[this.#count++] = index;
    this.#words[index] = known | bits;
  }

  /** The number of these slots that are in both sets. */
  countIn(some: Words, others: Words): number {
    let count = 0;
    for (let at = 0; at < this.#count; at++) {
      const index = this.#touched[at] ?? 0;
      let word = (this.#words[index] ?? 0) & (some[index] ?? 0) & (others[index] ?? 0);
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
const CONTENTS_PER_TURN = 256;

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
  /** Memory for the part of each content from which others inherit, and for those of all others together. */
  readonly #memory: readonly Part[];
  readonly #parts: (Part | undefined)[];
  readonly #differing: DifferingSets;
  readonly #taken = new TakenSlots();

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
    this.#differing = new DifferingSets(heads.length);
    const shared = new Part();
    const above = new Set(parents);
    this.#memory = contents.map((_, number) => (above.has(number) ? new Part() : shared));
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
    const differing = noSlots();
    for (const part of compared.values()) addAll(differing, part?.slots);
    if (isNone(differing)) return;
    this.#differing.read(await this.#sets.slotsIn(reading, chunk), differing);
    for (let number = 0; number < this.keys.length; number++) {
      if (number % CONTENTS_PER_TURN === 0) await giveTurn();
      const above = this.#parts[this.#parents[number] ?? -1];
      const isCompared = compared.has(number);
      const part = isCompared ? compared.get(number) : above && this.#left(number, above);
      this.#parts[number] = part;
      if (part !== undefined) use(number, part);
    }
  }

  #left(number: number, above: Part): Part | undefined {
    const { indexes, bits, from, to } = this.#differing;
    const taken = this.#taken;
    taken.clear();
    const end = this.#from[number + 1] ?? 0;
    for (let own = this.#from[number] ?? end; own < end; own++) {
      const set = this.#own[own] ?? 0;
      for (let at = from[set] ?? 0; at < (to[set] ?? 0); at++) taken.add(indexes[at] ?? 0, bits[at] ?? 0);
    }
    if (taken.isNone) return above;
    const part = this.#memory[number];
    return part?.become(above, taken) === true ? part : undefined;
  }
}
