import { EMPTY, type Head } from "../../../../sets/head.ts";
import { chunkOf } from "../../../../sets/position.ts";
import type { Words } from "../../../../sets/words.ts";
import type { Reading } from "../../../reading.ts";
import { MEMBERS } from "../../../schema/set-names.ts";
import { ChunkedSets } from "../../../sets/set-store.ts";

/** The sets of one side. There may be very many. */
export class SideSets {
  readonly #sets: ChunkedSets;

  constructor(names: readonly string[], heads: ReadonlyMap<string, Head>) {
    this.#sets = new ChunkedSets(
      MEMBERS,
      names,
      names.map((name) => heads.get(name) ?? EMPTY),
    );
  }

  get size(): number {
    return this.#sets.size;
  }

  placeOf(name: string): number | undefined {
    return this.#sets.placeOf(name);
  }

  /** The slots that each of the sets has in a chunk, by place; `undefined` where it has none. */
  read(reading: Reading, chunk: number): Promise<(Words | undefined)[]> {
    return this.#sets.read(reading, chunk);
  }
}

/** The chunks in which a set may have anybody, each once. */
export function chunksIn(head: Head): Iterable<number> {
  return "chunks" in head ? head.chunks : new Set([...head.positions].map(chunkOf));
}
