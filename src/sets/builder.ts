import { type Container, containerOf } from "./container.ts";
import { type Head, SMALL } from "./head.ts";
import { chunkOf, slotOf } from "./position.ts";
import { addSlot, noSlots, type Words } from "./words.ts";

/** Builds a set from positions in any order, in memory bounded by the bitmaps of its chunks. */
export class SetBuilder {
  #small: number[] | undefined = [];
  readonly #words = new Map<number, Words>();

  add(position: number): void {
    if (this.#small === undefined) {
      this.#place(position);
      return;
    }
    this.#small.push(position);
    if (this.#small.length <= SMALL) return;
    for (const each of this.#small) this.#place(each);
    this.#small = undefined;
  }

  /** Ends the set and returns its head. `emit` receives the containers of a large set, by chunk. */
  end(emit: (chunk: number, container: Container) => void): Head {
    if (this.#small !== undefined) return { positions: Uint32Array.from(this.#small).sort() };
    const chunks = Uint32Array.from(this.#words.keys()).sort();
    for (const chunk of chunks) emit(chunk, containerOf(this.#words.get(chunk) ?? noSlots()));
    return { chunks };
  }

  #place(position: number): void {
    const chunk = chunkOf(position);
    let words = this.#words.get(chunk);
    if (words === undefined) this.#words.set(chunk, (words = noSlots()));
    addSlot(words, slotOf(position));
  }
}
