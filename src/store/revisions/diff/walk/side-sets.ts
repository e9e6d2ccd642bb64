import { EMPTY, type Head } from "../../../../sets/head.ts";
import { chunkOf } from "../../../../sets/position.ts";
import type { Words } from "../../../../sets/words.ts";
import type { Reading } from "../../../reading.ts";
import { MEMBERS } from "../../../schema/set-names.ts";
import { ChunkedSets } from "../../../sets/set-store.ts";

/** The sets at one revision, possibly very many. */
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

  indexOf(name: string): number | undefined {
    return this.#sets.indexOf(name);
  }

  /** The slots of each set in a chunk, by the set's index; `undefined` for a set without slots there. */
  read(reading: Reading, chunk: number): Promise<(Words | undefined)[]> {
    return this.#sets.read(reading, chunk);
  }
}

/** The chunks with positions of a set, without duplicates. */
export function chunksIn(head: Head): Iterable<number> {
  return "chunks" in head ? head.chunks : new Set([...head.positions].map(chunkOf));
}
