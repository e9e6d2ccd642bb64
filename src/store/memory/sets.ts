/** A selection of sets of members, read chunk by chunk. */
import { limit } from "../../sets/limit.ts";
import { slotsOf } from "../../sets/container.ts";
import { EMPTY, firstFrom, hasChunk, type Head } from "../../sets/head.ts";
import { chunkOf, positionAt, slotOf } from "../../sets/position.ts";
import { addSlots, type Slots } from "../../sets/slots.ts";
import { noSlots, type Words } from "../../sets/words.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS } from "../schema/set-names.ts";
import { CONTAINERS } from "../sets/containers.ts";
import { chunkInMemory, loadChunk } from "./chunk.ts";
import { isKept, universeIndex } from "./universe.ts";

/** From this number of sets on, loading the whole chunk takes less time than looking up the container of each. */
const MANY_SETS = limit("sets.many", 64);

/** Sets by name. Their containers are read later, chunk by chunk. */
export class ChunkedSets {
  readonly #indexes: ReadonlyMap<string, number>;
  /** The ascending positions of each small set, and the name and head of each large set, by the set's index. */
  readonly #small = new Map<number, Uint32Array>();
  readonly #large = new Map<number, { readonly name: string; readonly head: Head }>();
  #smallByChunk: ReadonlyMap<number, readonly number[]> | undefined;

  /** Sets without a head are empty. */
  constructor(names: readonly string[], headOf: (name: string) => Head | undefined) {
    this.#indexes = new Map(names.map((name, index) => [name, index]));
    for (const [set, name] of names.entries()) {
      const head = headOf(name) ?? EMPTY;
      if ("chunks" in head) this.#large.set(set, { name, head });
      else if (head.positions.length > 0) this.#small.set(set, head.positions);
    }
  }

  /** The index of a set; `undefined` if the set is not in the selection. */
  indexOf(name: string): number | undefined {
    return this.#indexes.get(name);
  }

  get size(): number {
    return this.#indexes.size;
  }

  /** Whether any of the sets has slots in a chunk. */
  has(chunk: number): boolean {
    if (this.#smallIn.has(chunk)) return true;
    for (const { head } of this.#large.values()) if (hasChunk(head, chunk)) return true;
    return false;
  }

  /** The slots of all sets in a chunk, by the set's index. */
  async read(reading: Reading, chunk: number): Promise<(Words | undefined)[]> {
    const found = await this.slotsIn(reading, chunk);
    return Array.from(found, (slots) => slots && addSlots(noSlots(), slots));
  }

  /** The slots of all sets in a chunk, or of `some` by their indexes, in the stored form. Read-only. */
  async slotsIn(reading: Reading, chunk: number, some?: ReadonlySet<number>): Promise<(Slots | undefined)[]> {
    const found: (Slots | undefined)[] = [];
    found.length = this.size;
    for (const set of this.#smallIn.get(chunk) ?? []) {
      const positions = this.#small.get(set);
      if (positions === undefined || some?.has(set) === false) continue;
      const from = firstFrom(positions, positionAt(chunk, 0));
      const slots = new Uint16Array(firstFrom(positions, positionAt(chunk + 1, 0)) - from);
      for (let at = 0; at < slots.length; at++) slots[at] = slotOf(positions[from + at] ?? 0);
      found[set] = slots;
    }
    const kept = new Map<string, number>();
    const others = new Map<string, number>();
    for (const [set, { name, head }] of this.#large) {
      if (some?.has(set) === false || !hasChunk(head, chunk)) continue;
      (isKept(MEMBERS, name) ? kept : others).set(name, set);
    }
    const known = chunkInMemory(reading, MEMBERS, chunk);
    const loaded =
      known ??
      (kept.size < MANY_SETS
        ? undefined
        : await loadChunk(reading, MEMBERS, await universeIndex(reading, MEMBERS), chunk));
    for (const [name, set] of kept) {
      if (loaded === undefined) others.set(name, set);
      else found[set] = loaded.slotsOf(name);
    }
    if (others.size === 0) return found;
    const rows = await reading.read(CONTAINERS, ...reading.asOf, MEMBERS, [chunk], [...others.keys()]);
    for (const [, name, bits] of rows) {
      const set = others.get(name);
      if (set !== undefined && bits !== null) found[set] = slotsOf(bits);
    }
    return found;
  }

  /** The small sets with slots in a chunk, by chunk. Of very many sets, most have no slots in a chunk. */
  get #smallIn(): ReadonlyMap<number, readonly number[]> {
    return (this.#smallByChunk ??= byChunk(this.#small));
  }
}

function byChunk(sets: ReadonlyMap<number, Uint32Array>): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const [set, positions] of sets) {
    let last = -1;
    for (const position of positions) {
      const chunk = chunkOf(position);
      if (chunk === last) continue;
      last = chunk;
      const there = found.get(chunk);
      if (there === undefined) found.set(chunk, [set]);
      else there.push(set);
    }
  }
  return found;
}
