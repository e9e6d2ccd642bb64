import { noSlots, WORDS, type Words } from "../../../../sets/words.ts";
import type { ChunkSlots } from "../../../sets/set-store.ts";
import { DifferingWords } from "./differing-words.ts";
import type { Branch } from "./plan.ts";
import { SlotsAlone } from "./slots-alone.ts";

/**
 * The slots that differ on a root and for which a content below has a permission of its own. Every chunk needs these
 * slots for very many contents, and most contents have few of them. So each set is intersected with the differing slots
 * once for all contents, and only the words with slots in the intersection are visited.
 */
export class OwnSlots {
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
  readonly #alone: SlotsAlone;
  readonly #differingWords: DifferingWords;

  /** `size` is the number of sets; `branches` has all branches, by number. */
  constructor(size: number, branches: readonly Branch[]) {
    this.#differingWords = new DifferingWords(size);
    this.#alone = new SlotsAlone(branches);
    this.#own = Uint32Array.from(branches.flatMap(({ own }) => own));
    this.#from = new Uint32Array(branches.length + 1);
    for (const { number, own } of branches) this.#from[number + 1] = (this.#from[number] ?? 0) + own.length;
  }

  /** Switches to the sets of another chunk. */
  enter(chunk: number, sets: ChunkSlots): void {
    this.#sets = sets;
    this.#alone.enter(chunk);
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
    const to = this.#alone.to(branch);
    for (let at = this.#alone.from(branch); at < to; at++) {
      const slot = this.#alone.slots[at] ?? 0;
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
