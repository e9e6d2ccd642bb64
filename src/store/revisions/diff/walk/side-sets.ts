import { EMPTY, type Head } from "../../../../sets/head.ts";
import { chunkOf } from "../../../../sets/position.ts";
import type { Words } from "../../../../sets/words.ts";
import type { Reading } from "../../../reading.ts";
import { MEMBERS } from "../../../schema/set-names.ts";
import { ChunkedSets } from "../../../sets/set-store.ts";

/** The sets of one side. There may be very many, of which most have nobody in a chunk: only the others are looked at. */
export class SideSets {
  readonly #sets: ChunkedSets;
  readonly #places = new Map<number, number[]>();

  constructor(names: readonly string[], heads: ReadonlyMap<string, Head>) {
    const all = names.map((name) => heads.get(name) ?? EMPTY);
    this.#sets = new ChunkedSets(MEMBERS, names, all);
    for (const [place, head] of all.entries()) {
      for (const chunk of chunksIn(head)) {
        const places = this.#places.get(chunk) ?? [];
        this.#places.set(chunk, places);
        places.push(place);
      }
    }
  }

  get size(): number {
    return this.#sets.size;
  }

  placeOf(name: string): number | undefined {
    return this.#sets.placeOf(name);
  }

  /** The slots that each of the sets has in a chunk, by place; `undefined` where it has none. */
  async read(reading: Reading, chunk: number): Promise<(Words | undefined)[]> {
    const places = this.#places.get(chunk);
    return places === undefined ? [] : this.#sets.read(reading, chunk, places);
  }
}

/** The chunks in which a set may have anybody, each once. */
export function chunksIn(head: Head): Iterable<number> {
  return "chunks" in head ? head.chunks : new Set([...head.positions].map(chunkOf));
}
