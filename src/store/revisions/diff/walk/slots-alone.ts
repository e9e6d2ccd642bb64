import { chunkOf, slotOf } from "../../../../sets/position.ts";
import type { Branch } from "./plan.ts";

/** The slots of sets that only one branch uses, sorted by chunk, then by branch. */
export class SlotsAlone {
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
    for (const { alone } of branches) {
      for (const position of alone) counts[chunkOf(position)] = (counts[chunkOf(position)] ?? 0) + 1;
    }
    this.#chunks = new Uint32Array(counts.length + 1);
    for (let chunk = 0; chunk < counts.length; chunk++) {
      this.#chunks[chunk + 1] = (this.#chunks[chunk] ?? 0) + (counts[chunk] ?? 0);
    }
    const ends = this.#chunks.slice();
    this.slots = new Uint16Array(this.#chunks.at(-1) ?? 0);
    this.#branches = new Uint32Array(this.slots.length);
    for (const { alone, number } of branches) {
      for (const position of alone) {
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
