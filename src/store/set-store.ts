/** Sets of positions in the database: heads, and containers by chunk. */
import { addContainer, countContainer } from "../sets/container.ts";
import { EMPTY, type Head, headOf } from "../sets/head.ts";
import { chunkOf, slotOf } from "../sets/position.ts";
import { addSlot, blankSets, type Words } from "../sets/words.ts";
import { type AsOf, holds } from "./as-of.ts";
import { statement } from "./engine.ts";
import type { Reading } from "./reading.ts";
import { familiesOf, isOfFamily, type Universe } from "./set-names.ts";

/** The chunk number under which heads are stored. */
export const HEADS = -1;

/** The containers of one chunk whose sets are of some families. */
const CONTAINERS = statement<[name: string, bits: Uint8Array]>(
  ({ texts, lookUp }) => `
    SELECT c.name, c.bits FROM ${lookUp(
      texts("$5", "family"),
      "container",
      "c",
      `${holds("c")} AND c.universe = $3 AND c.chunk = $4
        AND ${isOfFamily("c.name", "family.value")}`,
    )}`,
);

/** The heads of some sets, in the order asked. A set of which nothing is stored is empty. */
export async function headsOf(reading: AsOf, universe: Universe, names: readonly string[]): Promise<Head[]> {
  if (names.length === 0) return [];
  const rows = await reading.read(CONTAINERS, ...reading.asOf, universe, HEADS, familiesOf(names));
  const found = new Map(rows.map(([name, bits]) => [name, headOf(bits)]));
  return names.map((name) => found.get(name) ?? EMPTY);
}

/** The containers of one set in some chunks. */
export const OF_SET = statement<[chunk: number, bits: Uint8Array]>(
  ({ numbers, lookUp }) => `
    SELECT c.chunk, c.bits FROM ${lookUp(
      numbers("$5", "wanted"),
      "container",
      "c",
      `${holds("c")} AND c.universe = $3 AND c.chunk = wanted.value AND c.name = $4`,
    )}`,
);

/** How many positions each of some sets has: of large ones their containers are counted. */
export async function sizesOf(
  reading: AsOf,
  universe: Universe,
  names: readonly string[],
): Promise<number[]> {
  const sizes: number[] = [];
  for (const [place, head] of (await headsOf(reading, universe, names)).entries()) {
    if ("positions" in head) sizes.push(head.positions.length);
    else {
      const rows = await reading.read(OF_SET, ...reading.asOf, universe, names[place] ?? "", [
        ...head.chunks,
      ]);
      sizes.push(rows.reduce((sum, [, bits]) => sum + countContainer(bits), 0));
    }
  }
  return sizes;
}

/** Some sets of a universe, ready to be read chunk by chunk. */
export class ChunkedSets {
  readonly #universe: Universe;
  readonly #names: readonly string[];
  readonly #heads: readonly Head[];
  readonly #places: ReadonlyMap<string, number>;
  /** Small sets, by chunk. */
  readonly #small = new Map<number, { readonly set: number; readonly slots: number[] }[]>();
  /** The others, each with the chunks in which it has anybody: looked up, since a page needs few of very many. */
  readonly #large: { readonly set: number; readonly chunks: Uint32Array }[] = [];
  readonly bytes: number;

  constructor(universe: Universe, names: readonly string[], heads: readonly Head[]) {
    this.#universe = universe;
    this.#names = names;
    this.#heads = heads;
    this.#places = new Map(names.map((name, place) => [name, place]));
    let bytes = 200;
    for (const [set, head] of heads.entries()) {
      bytes += 60 + 2 * (names[set]?.length ?? 0);
      if ("positions" in head) {
        bytes += 48 * head.positions.length;
        for (const position of head.positions) this.#place(set, position);
        continue;
      }
      bytes += 12 * head.chunks.length;
      this.#large.push({ set, chunks: head.chunks });
    }
    this.bytes = bytes;
  }

  #place(set: number, position: number): void {
    const chunk = chunkOf(position);
    const placed = this.#small.get(chunk) ?? [];
    this.#small.set(chunk, placed);
    const last = placed.at(-1);
    if (last?.set === set) last.slots.push(slotOf(position));
    else placed.push({ set, slots: [slotOf(position)] });
  }

  /** How many sets there are. */
  get size(): number {
    return this.#names.length;
  }

  /** The place of a set among the names; `undefined` for one that is not among them. */
  placeOf(name: string): number | undefined {
    return this.#places.get(name);
  }

  /** Whether any of the sets has anybody in a chunk. */
  has(chunk: number): boolean {
    return this.#small.has(chunk) || this.#large.some(({ chunks }) => holdsNumber(chunks, chunk));
  }

  /** Whether one of some sets, by their places, has anybody in a chunk. */
  hasAny(places: ReadonlySet<number>, chunk: number): boolean {
    const small = this.#small.get(chunk) ?? [];
    return (
      small.some(({ set }) => places.has(set)) ||
      this.#large.some(({ set, chunks }) => places.has(set) && holdsNumber(chunks, chunk))
    );
  }

  /** These sets and behind them some more. */
  with(names: readonly string[], heads: readonly Head[]): ChunkedSets {
    return new ChunkedSets(this.#universe, [...this.#names, ...names], [...this.#heads, ...heads]);
  }

  /** The slots that each of the sets, or of some by their places, has in a chunk; `undefined` where it has none. */
  async read(reading: Reading, chunk: number, some?: ReadonlySet<number>): Promise<(Words | undefined)[]> {
    const found = Array.from<Words | undefined>({ length: this.#names.length });
    const isWanted = ({ set }: { readonly set: number }) => some?.has(set) !== false;
    const small = (this.#small.get(chunk) ?? []).filter(isWanted);
    const large = this.#large.filter((each) => isWanted(each) && holdsNumber(each.chunks, chunk));
    const blank = blankSets(small.length + large.length);
    for (const { set, slots } of small) {
      const words = (found[set] = blank());
      for (const slot of slots) addSlot(words, slot);
    }
    if (large.length === 0) return found;
    const families = familiesOf(large.map(({ set }) => this.#names[set] ?? ""));
    for (const [name, bits] of await reading.read(
      CONTAINERS,
      ...reading.asOf,
      this.#universe,
      chunk,
      families,
    )) {
      const set = this.#places.get(name);
      // A family may hold sets that are not asked for, and a small set no container.
      if (set !== undefined) addContainer((found[set] ??= blank()), bits);
    }
    return found;
  }
}

/** Whether a number is among others, which ascend. */
function holdsNumber(numbers: Uint32Array, wanted: number): boolean {
  let low = 0;
  for (let high = numbers.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === wanted;
}
