import { addContainer, containerOf } from "../../../../sets/container.ts";
import { headBytes, headOf, SMALL, SMALL_AGAIN } from "../../../../sets/head.ts";
import { chunkOf, positionAt, slotOf } from "../../../../sets/position.ts";
import {
  addAll,
  addSlot,
  countSlots,
  noSlots,
  removeAll,
  removeSlot,
  slotsFrom,
  type Words,
} from "../../../../sets/words.ts";
import { FOREVER } from "../../../schema/as-of.ts";
import { statement } from "../../../engine/engine.ts";
import type { Universe } from "../../../schema/set-names.ts";
import { HEADS } from "../../../sets/container-row.ts";
import { CONTAINER } from "../tables/tables.ts";
import type { Writing } from "../writing.ts";

type SetRow = [name: string, bits: Uint8Array];

const HEADS_OF = statement<SetRow>(
  ({ texts, lookUp }) => `
    SELECT c.name, c.bits FROM ${lookUp(
      texts("$3", "wanted"),
      "container",
      "c",
      `c.generation = $1 AND c.universe = $2 AND c.chunk = ${HEADS} AND c.name = wanted.value AND c.until = ${FOREVER}`,
    )}`,
);
const IN_CHUNK = statement<SetRow>(
  () => `
    SELECT c.name, c.bits FROM container c
      WHERE c.generation = $1 AND c.universe = $2 AND c.chunk = $3 AND c.until = ${FOREVER}`,
);

/** Positions by chunk. */
export type ByChunk = ReadonlyMap<number, Words>;

/** A set during a change, with the containers read or changed so far. */
interface Open {
  /** Chunks with stored containers; none while the set is small. */
  readonly stored: ReadonlySet<number>;
  /** Chunks in which the set may have slots. */
  readonly chunks: Set<number>;
  readonly words: Map<number, Words>;
  readonly touched: Set<number>;
  /** Whether the stored set is completely in its head. */
  readonly small: boolean;
}

/** Collects the changes of the sets of a universe in memory, and writes each set once. */
export class SetChanges {
  readonly #writing: Writing;
  readonly #universe: Universe;
  readonly #open = new Map<string, Open>();

  constructor(writing: Writing, universe: Universe) {
    this.#writing = writing;
    this.#universe = universe;
  }

  /** Reads many sets with their slots in one chunk. One by one, their heads would take most of a split. */
  async readMany(names: Iterable<string>, chunk: number): Promise<void> {
    const { connection, generation } = this.#writing;
    const unread = [...names].filter((name) => !this.#open.has(name));
    for (const [name, bits] of await connection.read(HEADS_OF, generation, this.#universe, unread)) {
      this.#begin(name, bits);
    }
    for (const [name, bits] of await connection.read(IN_CHUNK, generation, this.#universe, chunk)) {
      const { words } = this.#open.get(name) ?? {};
      if (words === undefined || words.has(chunk)) continue;
      const read = noSlots();
      addContainer(read, bits);
      words.set(chunk, read);
    }
  }

  async add(name: string, position: number): Promise<void> {
    addSlot(await this.#change(name, chunkOf(position)), slotOf(position));
  }

  async remove(name: string, position: number): Promise<void> {
    removeSlot(await this.#change(name, chunkOf(position)), slotOf(position));
  }

  async addAll(name: string, positions: ByChunk): Promise<void> {
    for (const [chunk, more] of positions) {
      addAll(await this.#change(name, chunk), more);
    }
  }

  async removeAll(name: string, positions: ByChunk): Promise<void> {
    for (const [chunk, fewer] of positions) {
      removeAll(await this.#change(name, chunk), fewer);
    }
  }

  /** All positions of the set. Copy the result to keep it: later changes modify the same words. */
  async all(name: string): Promise<ByChunk> {
    const open = await this.#opened(name);
    for (const chunk of open.chunks) await this.#read(name, open, chunk);
    return new Map([...open.words].filter(([, words]) => words.some((word) => word !== 0)));
  }

  /** The slots of a set in one chunk. */
  async inChunk(name: string, chunk: number): Promise<Words> {
    const open = await this.#opened(name);
    return open.chunks.has(chunk) ? this.#read(name, open, chunk) : noSlots();
  }

  /** The positions of a set, ascending. */
  async positions(name: string): Promise<number[]> {
    const all = await this.all(name);
    return [...all].flatMap(([chunk, words]) => [...slotsFrom(words)].map((slot) => positionAt(chunk, slot)));
  }

  async isEmpty(name: string): Promise<boolean> {
    const open = await this.#opened(name);
    for (const chunk of open.chunks) {
      if ((await this.#read(name, open, chunk)).some((word) => word !== 0)) return false;
    }
    return true;
  }

  /** The names of the sets that were read or changed. */
  names(): Iterable<string> {
    return this.#open.keys();
  }

  /** Writes all changes. */
  async flush(): Promise<void> {
    for (const [name, open] of this.#open) if (open.touched.size > 0) await this.#write(name, open);
    this.#open.clear();
  }

  async #change(name: string, chunk: number): Promise<Words> {
    const open = await this.#opened(name);
    const words = await this.#read(name, open, chunk);
    open.chunks.add(chunk);
    open.touched.add(chunk);
    return words;
  }

  async #opened(name: string): Promise<Open> {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const [bits] = (await CONTAINER.read(this.#writing, [this.#universe, HEADS, name])) ?? [];
    return this.#begin(name, bits);
  }

  #begin(name: string, bits: Uint8Array | undefined): Open {
    const head = bits === undefined ? { positions: new Uint32Array() } : headOf(bits);
    const words = new Map<number, Words>();
    const small = "positions" in head;
    if (small) {
      for (const position of head.positions) {
        const chunk = chunkOf(position);
        const own = words.get(chunk) ?? noSlots();
        addSlot(own, slotOf(position));
        words.set(chunk, own);
      }
    }
    const stored = new Set<number>(small ? [] : head.chunks);
    const chunks = new Set<number>(small ? words.keys() : head.chunks);
    const open = { stored, chunks, words, touched: new Set<number>(), small };
    this.#open.set(name, open);
    return open;
  }

  async #read(name: string, { stored, words }: Open, chunk: number): Promise<Words> {
    const known = words.get(chunk);
    if (known !== undefined) return known;
    const read = noSlots();
    if (stored.has(chunk)) {
      const [bits] = (await CONTAINER.read(this.#writing, [this.#universe, chunk, name])) ?? [];
      if (bits !== undefined) addContainer(read, bits);
    }
    words.set(chunk, read);
    return read;
  }

  async #write(name: string, open: Open): Promise<void> {
    const { stored, chunks, words, touched, small } = open;
    for (const chunk of touched) if (words.get(chunk)?.every((word) => word === 0)) chunks.delete(chunk);
    const isSmall = await this.#isSmall(name, open);
    if (isSmall) {
      const positions = await this.positions(name);
      for (const chunk of stored) await this.#end(chunk, name);
      if (positions.length === 0) await this.#end(HEADS, name);
      else await this.#put(HEADS, name, headBytes({ positions: Uint32Array.from(positions).sort() }));
      return;
    }
    for (const chunk of small ? chunks : touched) {
      const own = words.get(chunk);
      if (chunks.has(chunk) && own !== undefined) await this.#put(chunk, name, containerOf(own));
      else if (stored.has(chunk)) await this.#end(chunk, name);
    }
    const sameChunks = stored.size === chunks.size && [...chunks].every((chunk) => stored.has(chunk));
    if (!sameChunks) await this.#put(HEADS, name, headBytes({ chunks: Uint32Array.from(chunks).sort() }));
  }

  /**
   * Whether the set is stored in its head: up to {@link SMALL} positions, or {@link SMALL_AGAIN} if it was large
   * before.
   */
  async #isSmall(name: string, { chunks, touched, words, small }: Open): Promise<boolean> {
    const most = small ? SMALL : SMALL_AGAIN;
    let size = 0;
    // The containers in memory may suffice to exceed the limit.
    for (const chunk of touched) size += countSlots(words.get(chunk) ?? noSlots());
    if (size > most || chunks.size > most) return false;
    return (await this.positions(name)).length <= most;
  }

  #put(chunk: number, name: string, bits: Uint8Array): Promise<void> {
    return CONTAINER.put(this.#writing, [this.#universe, chunk, name], [bits]);
  }

  #end(chunk: number, name: string): Promise<void> {
    return CONTAINER.end(this.#writing, [this.#universe, chunk, name]);
  }
}
