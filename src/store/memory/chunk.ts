/** Chunks in memory: what painting needs of the members, or of the spaces, of a range of keys. */
import { compareIds } from "../../domain/id.ts";
import { firstFrom, type Head } from "../../sets/head.ts";
import { positionAt, SLOTS } from "../../sets/position.ts";
import { isList, type Slots } from "../../sets/slots.ts";
import { hasSlot, slotsFrom, type Words, WORDS } from "../../sets/words.ts";
import type { CacheKind } from "../cache.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, NEXT_SLOT, SPACES, type Universe } from "../schema/set-names.ts";
import { slotsIn } from "../schema/encoding.ts";
import { KEPT, PACKED, type PackedRow, type UniverseIndex, unpack } from "./universe.ts";

/** Containers by the name of their set. */
type SlotsBySet = ReadonlyMap<string, Slots>;

/** A chunk as of a revision. */
export class Chunk {
  readonly number: number;
  /** The byte of each slot; slots that later revisions gave have none. */
  readonly bytes: Uint8Array;
  /** The slots in the order of their keys; `undefined` if that is their own order. */
  readonly order: Uint16Array | undefined;
  /** The ordinal of each slot: the number of its key in the order of keys; `undefined` like `order`. */
  readonly #ordinals: Uint16Array | undefined;
  /** The keys in their order, in UTF-8. `#starts` has where each begins, and where the last one ends. */
  readonly #keys: Buffer;
  readonly #starts: Uint32Array;
  /** The number of each set's name, shared by the chunks of a process. */
  readonly #names: ReadonlyMap<string, number>;
  /** The numbers of the sets with a container, ascending; where each container begins, in units of 4 bytes. */
  readonly #sets: Uint32Array;
  readonly #offsets: Uint32Array;
  readonly #sizes: Uint16Array;
  readonly #words: Uint32Array;
  readonly #lists: Uint16Array;

  /** What it was made of. */
  readonly #made: readonly [range: Range, keys: Keys, containers: Containers];
  /** Containers that take the place of those above. */
  readonly #instead: SlotsBySet | undefined;

  constructor(number: number, range: Range, keys: Keys, containers: Containers, instead?: SlotsBySet) {
    this.number = number;
    this.#made = [range, keys, containers];
    this.#instead = instead;
    this.bytes = new Uint8Array(keys.used);
    this.order = keys.order;
    this.#ordinals = keys.order && ordinalsOf(keys.order);
    this.#keys = keys.text;
    this.#starts = keys.starts;
    this.#names = containers.names;
    this.#sets = containers.sets;
    this.#offsets = containers.offsets;
    this.#sizes = containers.sizes;
    this.#words = new Uint32Array(containers.memory);
    this.#lists = new Uint16Array(containers.memory);
  }

  /** Whether a key lies in the range of the chunk. */
  covers(key: string): boolean {
    const [{ lowest, next }] = this.#made;
    return compareIds(lowest, key) <= 0 && (next === undefined || compareIds(key, next) < 0);
  }

  /** The number of keys: of the slots that were ever given. */
  get length(): number {
    return this.#starts.length - 1;
  }

  /** The approximate size in memory. */
  get size(): number {
    const { bytes, order } = this;
    const arrays = [
      bytes,
      order,
      this.#ordinals,
      this.#keys,
      this.#starts,
      this.#sets,
      this.#offsets,
      this.#sizes,
      this.#words,
    ];
    return arrays.reduce((sum, array) => sum + 100 + (array?.byteLength ?? 0), 500);
  }

  /** The same keys and slots with some other containers, and without bytes. */
  with(instead: SlotsBySet): Chunk {
    return new Chunk(this.number, ...this.#made, instead);
  }

  /** Gives all slots their byte. */
  giveBytes(universe: Universe, index: UniverseIndex): this {
    for (const [byte, name] of KEPT[universe].bytes.entries())
      if (name !== undefined) this.#giveByte(byte, name, index.head(name));
    return this;
  }

  /** Gives the members of a set their byte. */
  #giveByte(byte: number, set: string, head: Head): void {
    if ("positions" in head) {
      const first = positionAt(this.number, 0);
      for (let at = firstFrom(head.positions, first); at < head.positions.length; at++) {
        const slot = (head.positions[at] ?? 0) - first;
        if (slot >= this.bytes.length) return;
        this.bytes[slot] = byte;
      }
      return;
    }
    const slots = this.slotsOf(set);
    if (slots === undefined) return;
    for (const slot of isList(slots) ? slots : slotsFrom(slots)) this.bytes[slot] = byte;
  }

  slotAt(ordinal: number): number {
    return this.order === undefined ? ordinal : (this.order[ordinal] ?? 0);
  }

  /** The positions of a set of slots, in the order of their keys. */
  *positionsOf(words: Words): Generator<number> {
    for (const slot of this.order ?? slotsFrom(words)) {
      if (hasSlot(words, slot)) yield positionAt(this.number, slot);
    }
  }

  /** The ordinals of slots, which ascend, in the given order of keys; and the index of each slot in the list. */
  *inOrder(slots: Uint16Array, order: "asc" | "desc"): Generator<[ordinal: number, index: number]> {
    const ordinals = this.#ordinals;
    const placed = ordinals && Array.from(slots, (slot, index) => ({ ordinal: ordinals[slot] ?? 0, index }));
    placed?.sort((a, b) => a.ordinal - b.ordinal);
    for (let at = 0; at < slots.length; at++) {
      const own = order === "asc" ? at : slots.length - 1 - at;
      const { ordinal, index } = placed?.[own] ?? { ordinal: slots[own] ?? 0, index: own };
      yield [ordinal, index];
    }
  }

  /** The key with an ordinal. */
  keyAt(ordinal: number): string {
    return this.#keys.toString("utf8", this.#starts[ordinal], this.#starts[ordinal + 1]);
  }

  /** The ordinal of the first key that is greater than `key`; or not less than `key`, with `orEqual`. */
  ordinalAfter(key: string, orEqual = false): number {
    const wanted = Buffer.from(key);
    let low = 0;
    for (let high = this.length; low < high;) {
      const middle = (low + high) >>> 1;
      const from = this.#starts[middle] ?? 0;
      const order = this.#keys.compare(wanted, 0, wanted.length, from, this.#starts[middle + 1] ?? 0);
      if (orEqual ? order < 0 : order <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The slots of a set; `undefined` if the chunk keeps no container of the set. */
  slotsOf(set: string): Slots | undefined {
    const instead = this.#instead?.get(set);
    if (instead !== undefined) return instead;
    const number = this.#names.get(set);
    if (number === undefined) return undefined;
    const index = firstFrom(this.#sets, number);
    if (this.#sets[index] !== number) return undefined;
    const offset = this.#offsets[index] ?? 0;
    const size = this.#sizes[index] ?? 0;
    if (size === WORDS * 4) return this.#words.subarray(offset, offset + WORDS);
    return this.#lists.subarray(2 * offset, 2 * offset + size / 2);
  }
}

function ordinalsOf(order: Uint16Array): Uint16Array {
  const ordinals = new Uint16Array(SLOTS);
  for (let ordinal = 0; ordinal < order.length; ordinal++) ordinals[order[ordinal] ?? 0] = ordinal;
  return ordinals;
}

/** The lowest key of a chunk, and that of the next chunk. */
interface Range {
  readonly lowest: string;
  readonly next: string | undefined;
}

interface Keys {
  readonly text: Buffer;
  readonly starts: Uint32Array;
  readonly order: Uint16Array | undefined;
  /** All slots that were given are below this number. */
  readonly used: number;
}

interface Containers {
  readonly names: ReadonlyMap<string, number>;
  readonly sets: Uint32Array;
  readonly offsets: Uint32Array;
  /** In bytes. */
  readonly sizes: Uint16Array;
  readonly memory: ArrayBuffer;
}

/** The keys that ever had a position in a chunk and lie in its range, and their positions, in one order. */
const keysOfChunk = (end: string) =>
  statement<[keys: string | null, positions: string | null]>(
    () => `
      SELECT string_agg(read.key, '\n'), string_agg(CAST(read.position AS text), ' ')
        FROM (
          SELECT p.key, p.position FROM place p
            WHERE p.generation = $1 AND p.universe = $2 AND p.position >= $3 AND p.position < $4
              AND p.key >= $5 ${end} ORDER BY p.key) read`,
  );
export const KEYS = keysOfChunk("AND p.key < $6");
export const LAST_KEYS = keysOfChunk("");

const CHUNKS: Readonly<Record<Universe, CacheKind<Chunk>>> = {
  [MEMBERS]: {
    name: "chunk-of-members",
    bytes: ({ size }) => size,
    isTouched: (chunk, _, { members }) => members.some((member) => chunk.covers(member)),
  },
  [SPACES]: {
    name: "chunk-of-spaces",
    bytes: ({ size }) => size,
    isTouched: (_, __, { contents }) => contents.size > 0,
  },
};

/** The numbers of names of sets, for each cache. A chunk keeps numbers, because a name for each would take more memory. */
const NAMES: CacheKind<Map<string, number>> = {
  name: "set-names",
  bytes: ({ size }) => 100 * size,
  isTouched: () => false,
};

/** A chunk that is in memory. */
export function chunkInMemory({ cache, at }: Reading, universe: Universe, number: number): Chunk | undefined {
  return cache.get(CHUNKS[universe], at, `${number}`);
}

/** Loads a chunk of the index by its number, once for all who wait. */
export function loadChunk(
  reading: Reading,
  universe: Universe,
  index: UniverseIndex,
  number: number,
): Promise<Chunk> {
  return reading.cache.once(CHUNKS[universe], reading.at, `${number}`, async () => {
    const { first, end } = KEPT[universe];
    const nth = index.chunks.indexOf(number);
    const [lowest = "", next] = [index.lowest[nth], index.lowest[nth + 1]];
    const range = [
      reading.generation,
      universe,
      positionAt(number, 0),
      positionAt(number + 1, 0),
      lowest,
    ] as const;
    const [[keys], [later], [packed]] = await Promise.all([
      next === undefined ? reading.read(LAST_KEYS, ...range) : reading.read(KEYS, ...range, next),
      reading.read(NEXT, ...reading.asOf, universe, number),
      reading.read(PACKED, ...reading.asOf, universe, number, first, end),
    ]);
    const used = later === undefined ? SLOTS : (slotsIn(later[0])[0] ?? SLOTS);
    const names = reading.cache.get(NAMES, reading.at, `${universe}`) ?? new Map<string, number>();
    const containers = pack(packed ?? [null, null, null], names);
    reading.cache.keep(NAMES, reading.at, `${universe}`, names);
    return new Chunk(
      number,
      { lowest, next },
      keysOf(keys ?? [null, null], number, used),
      containers,
    ).giveBytes(universe, index);
  });
}

/** The first slot that a later revision gave. This slot and those after it are not of this revision. */
const NEXT = statement<[bits: Uint8Array]>(
  () => `
    SELECT n.bits FROM container n
      WHERE n.generation = $1 AND n.universe = $3 AND n.chunk = $4 AND n.name = '${NEXT_SLOT}'
        AND n.until > $2 ORDER BY n.until LIMIT 1`,
);

/** Between two keys, and the first digit. */
const SEPARATOR = 0x0a;
const ZERO = 0x30;

function keysOf(
  [keys, positions]: readonly [string | null, string | null],
  chunk: number,
  end: number,
): Keys {
  if (keys === null || positions === null) {
    return { text: Buffer.alloc(0), starts: new Uint32Array(1), order: undefined, used: 0 };
  }
  const slots = slotsOfPositions(positions, positionAt(chunk, 0));
  const joined = Buffer.from(keys);
  const text = Buffer.allocUnsafe(joined.length);
  const starts = new Uint32Array(slots.length + 1);
  const order = new Uint16Array(slots.length);
  let count = 0;
  let length = 0;
  let used = 0;
  let isInOrder = true;
  let from = 0;
  for (const slot of slots) {
    // One pass over the bytes takes less than half of the time of a search and a copy for each key.
    const isOwn = slot < end;
    for (; from < joined.length && joined[from] !== SEPARATOR; from++)
      if (isOwn) text[length++] = joined[from] ?? 0;
    from++;
    if (!isOwn) continue;
    if (slot !== count) isInOrder = false;
    if (slot >= used) used = slot + 1;
    order[count] = slot;
    starts[++count] = length;
  }
  return {
    text: Buffer.from(text.subarray(0, length)),
    starts: starts.slice(0, count + 1),
    order: isInOrder ? undefined : order.slice(0, count),
    used,
  };
}

/** The slots of positions that are written in decimal with a space between each two. */
function slotsOfPositions(positions: string, first: number): number[] {
  const slots: number[] = [];
  let position = 0;
  for (let at = 0; at <= positions.length; at++) {
    const digit = positions.charCodeAt(at) - ZERO;
    if (digit >= 0) position = 10 * position + digit;
    else {
      slots.push(position - first);
      position = 0;
    }
  }
  return slots;
}

function pack(row: PackedRow, names: Map<string, number>): Containers {
  const found = unpack(row).map(({ name, bits }) => {
    let set = names.get(name);
    if (set === undefined) names.set(name, (set = names.size));
    return { set, bits };
  });
  found.sort((a, b) => a.set - b.set);
  const offsets = new Uint32Array(found.length);
  let words = 0;
  for (const [index, { bits }] of found.entries()) {
    offsets[index] = words;
    words += (bits.length + 3) >>> 2;
  }
  const memory = new ArrayBuffer(4 * words);
  const bytes = new Uint8Array(memory);
  for (const [index, { bits }] of found.entries()) bytes.set(bits, 4 * (offsets[index] ?? 0));
  return {
    names,
    sets: Uint32Array.from(found, ({ set }) => set),
    offsets,
    sizes: Uint16Array.from(found, ({ bits }) => bits.length),
    memory,
  };
}
