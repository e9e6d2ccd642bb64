/** Sets of positions in the database: heads, and containers by chunk. */
import { countContainer, slotsOf } from "../../sets/container.ts";
import { EMPTY, firstFrom, type Head, headOf } from "../../sets/head.ts";
import { positionAt, slotOf } from "../../sets/position.ts";
import { addSlots, type Slots } from "../../sets/slots.ts";
import { blankSets, type Words } from "../../sets/words.ts";
import { type AsOf, holds } from "../schema/as-of.ts";
import type { CacheKind } from "../cache/cache.ts";
import { chunkAt } from "./chunks.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, type Universe } from "../schema/set-names.ts";
import { TeamContainers } from "./team-containers.ts";

/** The chunk number under which heads are stored. */
export const HEADS = -1;

/** SQL: the container of a set in a chunk as of the revision, or null. A set may have very many rows of other times. */
function containerOf(universe: string, chunk: string, name: string): string {
  return `(
    SELECT CASE WHEN c.since <= $2 THEN c.bits END FROM container c
      WHERE c.generation = $1 AND c.universe = ${universe} AND c.chunk = ${chunk} AND c.name = ${name} AND c.until > $2
      ORDER BY c.until LIMIT 1)`;
}

/** A container, or a head under {@link HEADS}; null where there is none. */
export type ContainerRow = [chunk: number, name: string, bits: Uint8Array | null];

/** SQL: the heads of some sets, and their containers in the chunk of members that key `after` belongs to. */
export function containersAtStart(names: string, after: string): string {
  const start = chunkAt("c.chunk", MEMBERS, after);
  return `
    SELECT chunk.value, name.value, ${containerOf(`${MEMBERS}`, "chunk.value", "name.value")}
      FROM (SELECT ${HEADS} AS value UNION ALL SELECT (${start})) chunk CROSS JOIN ${names}
      WHERE chunk.value IS NOT NULL`;
}

/** SQL: the heads of some sets. */
export function heads(names: string): string {
  return `SELECT ${HEADS}, name.value, ${containerOf(`${MEMBERS}`, `${HEADS}`, "name.value")} FROM ${names}`;
}

/** The containers of some sets in some chunks. */
export const CONTAINERS = statement<ContainerRow>(
  ({ texts, numbers }) => `
    SELECT chunk.value, name.value, ${containerOf("$3", "chunk.value", "name.value")}
      FROM ${numbers("$4", "chunk")} CROSS JOIN ${texts("$5", "name")}`,
);

/** The heads of some sets, in the order asked. A set of which nothing is stored is empty. */
export async function headsOf(reading: AsOf, universe: Universe, names: readonly string[]): Promise<Head[]> {
  if (names.length === 0) return [];
  const rows = await reading.read(CONTAINERS, ...reading.asOf, universe, [HEADS], names);
  const found = new Map(rows.map(([, name, bits]) => [name, bits === null ? EMPTY : headOf(bits)]));
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

/** The slots that each of some sets has in a chunk, by the place of the set; `undefined` where it has none. */
export type ChunkSlots = readonly (Words | undefined)[];

/** The same in the form in which they are stored. */
export type ChunkSets = readonly (Slots | undefined)[];

/** Containers of one chunk that were read before they were needed. */
export const HELD: CacheKind<readonly ContainerRow[]> = {
  name: "containers",
  bytes: (rows) => rows.reduce((sum, [, name, bits]) => sum + 200 + name.length + (bits?.length ?? 0), 0),
};

/** Some sets of a universe, ready to be read chunk by chunk. */
export class ChunkedSets {
  readonly #universe: Universe;
  readonly #names: readonly string[];
  /** The positions of small sets, and the chunks of the others, by place; ascending. */
  readonly #small = new Map<number, Uint32Array>();
  readonly #large = new Map<number, Uint32Array>();
  readonly #key: string | undefined;
  readonly #teams: TeamContainers;
  readonly bytes: number;

  /** `key` is that of containers which were prefetched. */
  constructor(universe: Universe, names: readonly string[], heads: readonly Head[], key?: string) {
    this.#universe = universe;
    this.#names = names;
    this.#key = key;
    this.#teams = new TeamContainers(universe, names);
    let bytes = 500;
    for (const [set, head] of heads.entries()) {
      const numbers = "chunks" in head ? head.chunks : head.positions;
      if (numbers.length === 0) continue;
      ("chunks" in head ? this.#large : this.#small).set(set, numbers);
      bytes += 200 + numbers.byteLength;
    }
    this.bytes = bytes;
  }

  /** The place of a set among the names; `undefined` for one that is not among them. */
  placeOf(name: string): number | undefined {
    const place = this.#names.indexOf(name);
    return place < 0 ? undefined : place;
  }

  /** Whether any of the sets has anybody in a chunk; with `sets`, any of those. */
  has(chunk: number, sets?: Iterable<number>): boolean {
    for (const set of sets ?? this.#names.keys()) if (this.#has(set, chunk)) return true;
    return false;
  }

  #has(set: number, chunk: number): boolean {
    const chunks = this.#large.get(set);
    if (chunks !== undefined) return chunks[firstFrom(chunks, chunk)] === chunk;
    const positions = this.#small.get(set);
    if (positions === undefined) return false;
    return (positions[firstFrom(positions, positionAt(chunk, 0))] ?? Infinity) < positionAt(chunk + 1, 0);
  }

  /** How many sets there are. */
  get size(): number {
    return this.#names.length;
  }

  /** The slots that each of the sets, or of some by their places, has in a chunk; `undefined` where it has none. */
  async read(reading: Reading, chunk: number, some?: Iterable<number>): Promise<(Words | undefined)[]> {
    const [found = []] = await this.readAll(reading, [chunk], [...(some ?? this.#names.keys())]);
    const blank = blankSets(found.reduce((count) => count + 1, 0));
    return found.map((slots) => slots && addSlots(blank(), slots));
  }

  /** The same as they are stored, of several chunks at once, in their order, and of some of the sets, by place. */
  async readAll(
    reading: Reading,
    chunks: readonly number[],
    sets: readonly number[],
  ): Promise<(Slots | undefined)[][]> {
    const places = new Map<string, number>();
    for (const set of sets) {
      if (this.#large.has(set) && chunks.some((chunk) => this.#has(set, chunk)))
        places.set(this.#names[set] ?? "", set);
    }
    const rows = places.size === 0 ? [] : await this.#containers(reading, chunks, [...places.keys()]);
    const found = new Map(chunks.map((chunk) => [chunk, this.#readSmall(chunk, sets)]));
    for (const [chunk, name, bits] of rows) {
      const slots = found.get(chunk);
      const set = places.get(name);
      if (slots !== undefined && set !== undefined && bits !== null) slots[set] = slotsOf(bits);
    }
    return chunks.map((chunk) => found.get(chunk) ?? []);
  }

  async #containers(
    reading: Reading,
    chunks: readonly number[],
    names: readonly string[],
  ): Promise<readonly ContainerRow[]> {
    const [only] = chunks;
    const held = reading.cache.get(HELD, reading.at, `${this.#key}/${only}`);
    if (held !== undefined && chunks.length === 1) return held;
    const { left, rows } = await this.#teams.read(reading, chunks, names);
    const others = await reading.read(CONTAINERS, ...reading.asOf, this.#universe, chunks, left);
    return rows.length === 0 ? others : [...rows, ...others];
  }

  #readSmall(chunk: number, sets: readonly number[]): (Slots | undefined)[] {
    const found: (Slots | undefined)[] = [];
    found.length = this.#names.length;
    const [first, end] = [positionAt(chunk, 0), positionAt(chunk + 1, 0)];
    for (const set of sets) {
      const positions = this.#small.get(set);
      if (positions === undefined) continue;
      const from = firstFrom(positions, first);
      if ((positions[from] ?? end) >= end) continue;
      const slots = new Uint16Array(firstFrom(positions, end) - from);
      for (let at = 0; at < slots.length; at++) slots[at] = slotOf(positions[from + at] ?? 0);
      found[set] = slots;
    }
    return found;
  }
}
