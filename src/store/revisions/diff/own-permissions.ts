/**
 * The members for whom a permission on a content itself decides, so that a difference above does not reach them. A walk
 * asks for them once per content and chunk, so they are kept in typed arrays.
 */
import { chunkOf, slotOf } from "../../../sets/position.ts";
import { WORDS, type Words, noSlots } from "../../../sets/words.ts";
import type { ChunkSlots } from "../../memory/sets.ts";
import type { Branch } from "./plan.ts";

/**
 * The slots that differ on a root and for which a content below has a permission of its own. Every chunk needs these
 * slots for very many contents, and most contents have few of them. So each set is intersected with the differing slots
 * once for all contents, and only the words with slots in the intersection are visited.
 */
export class OwnPermissions {
  /** The slots that the last {@link take} has found. */
  readonly words: Words = noSlots();
  readonly #touched = new Uint8Array(WORDS);
  #count = 0;

  #sets: ChunkSlots = [];
  #differing: Words = noSlots();
  /**
   * The sets of all branches in sequence, and the index at which each branch begins. In typed arrays, because every
   * chunk iterates over them.
   */
  readonly #own: Uint32Array;
  readonly #from: Uint32Array;
  readonly #unshared: UnsharedSlots;
  readonly #differingWords: DifferingWords;

  /** `size` is the number of sets; `branches` has all branches, by number. */
  constructor(size: number, branches: readonly Branch[]) {
    this.#differingWords = new DifferingWords(size);
    this.#unshared = new UnsharedSlots(branches);
    this.#own = Uint32Array.from(branches.flatMap(({ own }) => own));
    this.#from = new Uint32Array(branches.length + 1);
    for (const { number, own } of branches) this.#from[number + 1] = (this.#from[number] ?? 0) + own.length;
  }

  /** Switches to the sets of another chunk. */
  enter(chunk: number, sets: ChunkSlots): void {
    this.#sets = sets;
    this.#unshared.enter(chunk);
  }

  /** Restricts what {@link take} finds to slots that differ on a root. */
  begin(differing: Words): void {
    this.#differing = differing;
    this.#differingWords.begin();
  }

  /** Replaces {@link words} by the slots for which a branch has a permission of its own. */
  take(branch: number): void {
    const { words } = this;
    for (let at = 0; at < this.#count; at++) words[this.#touched[at] ?? 0] = 0;
    this.#count = 0;
    const differingWords = this.#differingWords;
    const end = this.#from[branch + 1] ?? 0;
    for (let each = this.#from[branch] ?? end; each < end; each++) {
      const index = this.#own[each] ?? 0;
      const set = this.#sets[index];
      if (set === undefined) continue;
      const to = differingWords.find(index, set, this.#differing);
      for (let at = differingWords.from(index); at < to; at++) {
        this.#add(differingWords.indexes[at] ?? 0, differingWords.bits[at] ?? 0);
      }
    }
    const to = this.#unshared.to(branch);
    for (let at = this.#unshared.from(branch); at < to; at++) {
      const slot = this.#unshared.slots[at] ?? 0;
      const bits = (1 << (slot & 31)) & (this.#differing[slot >>> 5] ?? 0);
      if (bits !== 0) this.#add(slot >>> 5, bits);
    }
  }

  #add(index: number, bits: number): void {
    const known = this.words[index] ?? 0;
    if (known === 0) this.#touched[this.#count++] = index;
    this.words[index] = known | bits;
  }

  /** The number of slots that {@link words} and a set have in common. */
  countIn(words: Words): number {
    let count = 0;
    for (let at = 0; at < this.#count; at++) {
      const index = this.#touched[at] ?? 0;
      let word = (this.words[index] ?? 0) & (words[index] ?? 0);
      for (; word !== 0; word &= word - 1) count++;
    }
    return count;
  }

  /** Removes the slots in {@link words} from a set. */
  removeFrom(words: Words): void {
    for (let at = 0; at < this.#count; at++) {
      const index = this.#touched[at] ?? 0;
      words[index] = (words[index] ?? 0) & ~(this.words[index] ?? 0);
    }
  }
}

/** The slots of sets that only one branch uses, sorted by chunk, then by branch. */
class UnsharedSlots {
  readonly slots: Uint16Array;
  readonly #branches: Uint32Array;
  /** The index at which the slots of each chunk begin. The last entry is the number of all slots. */
  readonly #chunks: Uint32Array;
  readonly #begun: Uint32Array;
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;
  #serial = 0;

  constructor(branches: readonly Branch[]) {
    const counts: number[] = [];
    for (const { unshared } of branches) {
      for (const position of unshared) counts[chunkOf(position)] = (counts[chunkOf(position)] ?? 0) + 1;
    }
    this.#chunks = new Uint32Array(counts.length + 1);
    for (let chunk = 0; chunk < counts.length; chunk++) {
      this.#chunks[chunk + 1] = (this.#chunks[chunk] ?? 0) + (counts[chunk] ?? 0);
    }
    const ends = this.#chunks.slice();
    this.slots = new Uint16Array(this.#chunks.at(-1) ?? 0);
    this.#branches = new Uint32Array(this.slots.length);
    for (const { unshared, number } of branches) {
      for (const position of unshared) {
        const at = ends[chunkOf(position)] ?? 0;
        ends[chunkOf(position)] = at + 1;
        this.slots[at] = slotOf(position);
        this.#branches[at] = number;
      }
    }
    this.#begun = new Uint32Array(branches.length);
    this.#from = new Uint32Array(branches.length);
    this.#to = new Uint32Array(branches.length);
  }

  enter(chunk: number): void {
    this.#serial++;
    const end = this.#chunks[chunk + 1] ?? 0;
    for (let at = this.#chunks[chunk] ?? end; at < end; at++) {
      const branch = this.#branches[at] ?? 0;
      if (this.#begun[branch] !== this.#serial) this.#from[branch] = at;
      this.#begun[branch] = this.#serial;
      this.#to[branch] = at + 1;
    }
  }

  from(branch: number): number {
    return this.#from[branch] ?? 0;
  }

  /** The index at which the slots of a branch end in the current chunk; 0 if the branch has none. */
  to(branch: number): number {
    return this.#begun[branch] === this.#serial ? (this.#to[branch] ?? 0) : 0;
  }
}

/** Finds the words of each set of a chunk in which slots differ, on first use. */
class DifferingWords {
  indexes = new Uint8Array(1024);
  bits = new Uint32Array(1024);
  #length = 0;
  #serial = 0;
  readonly #found: Uint32Array;
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;

  constructor(size: number) {
    this.#found = new Uint32Array(size);
    this.#from = new Uint32Array(size);
    this.#to = new Uint32Array(size);
  }

  begin(): void {
    this.#serial++;
    this.#length = 0;
  }

  from(setIndex: number): number {
    return this.#from[setIndex] ?? 0;
  }

  /**
   * Appends the words of a set that have differing slots to `indexes` and `bits`, unless they were appended before.
   * The appended words begin at {@link from}. Returns where they end.
   */
  find(setIndex: number, set: Words, differing: Words): number {
    if (this.#found[setIndex] === this.#serial) return this.#to[setIndex] ?? 0;
    this.#found[setIndex] = this.#serial;
    this.#from[setIndex] = this.#length;
    if (this.#length + WORDS > this.indexes.length) this.#grow();
    for (let index = 0; index < WORDS; index++) {
      const bits = (set[index] ?? 0) & (differing[index] ?? 0);
      if (bits === 0) continue;
      this.indexes[this.#length] = index;
      this.bits[this.#length++] = bits;
    }
    this.#to[setIndex] = this.#length;
    return this.#length;
  }

  #grow(): void {
    const [indexes, bits] = [this.indexes, this.bits];
    this.indexes = new Uint8Array(2 * indexes.length);
    this.indexes.set(indexes);
    this.bits = new Uint32Array(2 * bits.length);
    this.bits.set(bits);
  }
}
