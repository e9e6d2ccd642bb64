import { type Container, containerOfSlots } from "./container.ts";
import { type Head, SMALL } from "./head.ts";
import { chunkOf, slotOf } from "./position.ts";

/**
 * A chunk is emitted only once this many positions are collected: more than a small set has, so a small set emits none.
 */
const WAITING = 4 * SMALL;

/** Builds a set from ascending positions, in bounded memory. */
export class SetBuilder {
  readonly #emit: (chunk: number, container: Container) => void;
  #positions: number[] = [];
  #most = WAITING;
  /** The numbers of the emitted chunks. Empty while the set may still be small. */
  readonly #chunks: number[] = [];

  /** `emit` receives each container of a large set, in ascending order of chunks. */
  constructor(emit: (chunk: number, container: Container) => void) {
    this.#emit = emit;
  }

  add(position: number): void {
    if (this.#positions.push(position) >= this.#most) this.#close(chunkOf(position));
  }

  /** Ends the set and returns its head. Throws a RangeError if the positions were not ascending. */
  end(): Head {
    if (this.#chunks.length > 0 || this.#positions.length > SMALL) this.#close(Infinity);
    else mustAscend(this.#positions);
    return this.#chunks.length > 0
      ? { chunks: Uint32Array.from(this.#chunks) }
      : { positions: Uint32Array.from(this.#positions) };
  }

  #close(before: number): void {
    const positions = this.#positions;
    mustAscend(positions);
    let from = 0;
    for (let to = 1; to <= positions.length; to++) {
      const chunk = chunkOf(positions[from] ?? 0);
      if (chunk >= before) break;
      if (to < positions.length && chunkOf(positions[to] ?? 0) === chunk) continue;
      this.#chunks.push(chunk);
      this.#emit(chunk, containerOfSlots(positions.slice(from, to).map(slotOf)));
      from = to;
    }
    this.#positions = positions.slice(from);
    this.#most = this.#positions.length + WAITING;
  }
}

function mustAscend(positions: readonly number[]): void {
  for (let at = 1; at < positions.length; at++) {
    if ((positions[at] ?? 0) > (positions[at - 1] ?? 0)) continue;
    throw new RangeError(`Position ${positions[at]} comes after ${positions[at - 1]}.`);
  }
}
