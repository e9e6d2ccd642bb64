import { type Container, containerOf } from "./container.ts";
import { type Head, SMALL } from "./head.ts";
import { chunkOf, slotOf } from "./position.ts";
import { addSlot, noSlots, type Words } from "./words.ts";

/** Makes a set of positions that come in ascending order, in memory bounded by one chunk. */
export class SetBuilder {
  readonly #emit: (chunk: number, container: Container) => void;
  #small: number[] | undefined = [];
  readonly #chunks: number[] = [];
  #chunk = -1;
  #words: Words | undefined;

  /** `emit` hears of each container of a set that is not small, as soon as it is complete. */
  constructor(emit: (chunk: number, container: Container) => void) {
    this.#emit = emit;
  }

  add(position: number): void {
    if (this.#small !== undefined) {
      this.#small.push(position);
      if (this.#small.length <= SMALL) return;
      for (const each of this.#small) this.#place(each);
      this.#small = undefined;
    } else this.#place(position);
  }

  /** The head of the set; nothing may be added any more. */
  end(): Head {
    if (this.#small !== undefined) return { positions: Uint32Array.from(this.#small) };
    this.#flush();
    return { chunks: Uint32Array.from(this.#chunks) };
  }

  #place(position: number): void {
    const chunk = chunkOf(position);
    if (chunk !== this.#chunk) {
      this.#flush();
      this.#chunk = chunk;
      this.#chunks.push(chunk);
    }
    addSlot((this.#words ??= noSlots()), slotOf(position));
  }

  #flush(): void {
    if (this.#words !== undefined) this.#emit(this.#chunk, containerOf(this.#words));
    this.#words = undefined;
  }
}
