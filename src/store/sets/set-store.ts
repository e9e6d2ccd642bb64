/** Reads sets of positions: heads, and containers by chunk. */
import { countContainer, slotsOf } from "../../sets/container.ts";
import { EMPTY, firstFrom, type Head, headOf } from "../../sets/head.ts";
import { chunkOf, positionAt, slotOf } from "../../sets/position.ts";
import { addSlots, type Slots } from "../../sets/slots.ts";
import { noSlots, type Words } from "../../sets/words.ts";
import { holds } from "../schema/as-of.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { isTeamSet, type Universe } from "../schema/set-names.ts";
import { type ContainerRow, HEADS } from "./container-row.ts";
import { CONTAINERS, containersIn } from "./containers.ts";
import { TeamContainers } from "./team-containers.ts";

/** The heads of the given sets, in the order of `names`. A set without a stored head is empty. */
export async function headsOf(
  reading: Reading,
  universe: Universe,
  names: readonly string[],
): Promise<Head[]> {
  if (names.length === 0) return [];
  const rows = await reading.read(CONTAINERS, ...reading.asOf, universe, [HEADS], names);
  const found = new Map(rows.map(([, name, bits]) => [name, bits === null ? EMPTY : headOf(bits)]));
  return names.map((name) => found.get(name) ?? EMPTY);
}

/** Opens sets by name. Their containers are read later, chunk by chunk. */
export async function openSets(
  reading: Reading,
  universe: Universe,
  names: readonly string[],
): Promise<ChunkedSets> {
  return new ChunkedSets(universe, names, await headsOf(reading, universe, names));
}

/** The containers of one set in the given chunks. */
export const OF_SET = statement<[chunk: number, bits: Uint8Array]>(
  ({ numbers, lookUp }) => `
    SELECT c.chunk, c.bits FROM ${lookUp(
      numbers("$5", "wanted"),
      "container",
      "c",
      `${holds("c")} AND c.universe = $3 AND c.chunk = wanted.value AND c.name = $4`,
    )}`,
);

/**
 * The number of positions of each set, in the order of `names`: from the head of a small set, else counted in the
 * containers.
 */
export async function sizesOf(
  reading: Reading,
  universe: Universe,
  names: readonly string[],
): Promise<number[]> {
  const sizes: number[] = [];
  for (const [index, head] of (await headsOf(reading, universe, names)).entries()) {
    if ("positions" in head) sizes.push(head.positions.length);
    else {
      const rows = await reading.read(OF_SET, ...reading.asOf, universe, names[index] ?? "", [
        ...head.chunks,
      ]);
      sizes.push(rows.reduce((sum, [, bits]) => sum + countContainer(bits), 0));
    }
  }
  return sizes;
}

/** The slots of each set in a chunk, by the set's index; `undefined` for a set without slots there. */
export type ChunkSlots = readonly (Words | undefined)[];

/** The slots of each set in a chunk, by the set's index, in the stored form. */
export type ChunkSets = readonly (Slots | undefined)[];

/** A selection of the sets of a universe, read chunk by chunk. */
export class ChunkedSets {
  readonly #universe: Universe;
  readonly #names: readonly string[];
  /** The ascending positions of each small set, and the ascending chunks of each large set, by the set's index. */
  readonly #small = new Map<number, Uint32Array>();
  readonly #large = new Map<number, Uint32Array>();
  readonly #teams: TeamContainers;
  readonly #selections = new WeakMap<readonly number[], Selection>();
  #all: readonly number[] | undefined;
  #smallByChunk: ReadonlyMap<number, readonly number[]> | undefined;

  constructor(universe: Universe, names: readonly string[], heads: readonly Head[]) {
    this.#universe = universe;
    this.#names = names;
    this.#teams = new TeamContainers(universe, names);
    for (const [set, head] of heads.entries()) {
      const numbers = "chunks" in head ? head.chunks : head.positions;
      if (numbers.length === 0) continue;
      ("chunks" in head ? this.#large : this.#small).set(set, numbers);
    }
  }

  /** The index of a set; `undefined` if the set is not in the selection. */
  indexOf(name: string): number | undefined {
    const index = this.#names.indexOf(name);
    return index < 0 ? undefined : index;
  }

  /** Whether any of the sets has slots in a chunk. With `sets`, only the sets with these indexes count. */
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

  get size(): number {
    return this.#names.length;
  }

  /** The slots of all sets in a chunk, or with `some` of the sets with these indexes, by the set's index. */
  async read(reading: Reading, chunk: number, some?: readonly number[]): Promise<(Words | undefined)[]> {
    const sets = some ?? (this.#all ??= [...this.#names.keys()]);
    const [found = []] = await this.#readAs(reading, [chunk], sets, (slots) => addSlots(noSlots(), slots));
    return found;
  }

  /**
   * Reads the sets with the indexes `sets` in several chunks. Returns one array per chunk, in the order of `chunks`,
   * with the slots of each set by index, in the stored form.
   */
  readAll(
    reading: Reading,
    chunks: readonly number[],
    sets: readonly number[],
  ): Promise<(Slots | undefined)[][]> {
    return this.#readAs(reading, chunks, sets, (slots) => slots);
  }

  async #readAs<Form>(
    reading: Reading,
    chunks: readonly number[],
    sets: readonly number[],
    formOf: (slots: Slots) => Form,
  ): Promise<(Form | undefined)[][]> {
    const selection = this.#select(sets);
    const rows = selection.large.size === 0 ? [] : await this.#containers(reading, chunks, selection);
    const found = new Map(chunks.map((chunk) => [chunk, this.#readSmall(chunk, selection, formOf)]));
    for (const [chunk, name, bits] of rows) {
      const slots = found.get(chunk);
      const set = selection.large.get(name);
      if (slots !== undefined && set !== undefined && bits !== null) slots[set] = formOf(slotsOf(bits));
    }
    return chunks.map((chunk) => found.get(chunk) ?? []);
  }

  #select(sets: readonly number[]): Selection {
    const known = this.#selections.get(sets);
    if (known !== undefined) return known;
    const large = new Map<string, number>();
    const isIn = new Uint8Array(this.#names.length);
    for (const set of sets) {
      isIn[set] = 1;
      if (this.#large.has(set)) large.set(this.#names[set] ?? "", set);
    }
    const made = { large, teams: [...large.keys()].filter(isTeamSet), isIn, count: sets.length };
    this.#selections.set(sets, made);
    return made;
  }

  async #containers(
    reading: Reading,
    chunks: readonly number[],
    { large, teams }: Selection,
  ): Promise<readonly ContainerRow[]> {
    const rows = await this.#teams.read(reading, chunks, teams);
    const names: string[] = [];
    for (const [name, set] of large) {
      const isRead = rows !== undefined && isTeamSet(name);
      if (!isRead && chunks.some((chunk) => this.#has(set, chunk))) names.push(name);
    }
    if (names.length === 0) return rows ?? [];
    const others = await containersIn(reading, this.#universe, chunks, names);
    return rows === undefined ? others : [...rows, ...others];
  }

  #readSmall<Form>(
    chunk: number,
    { isIn, count }: Selection,
    formOf: (slots: Slots) => Form,
  ): (Form | undefined)[] {
    const found: (Form | undefined)[] = [];
    if (count > FEW) found.length = this.#names.length;
    for (const set of this.#smallIn.get(chunk) ?? []) {
      const positions = isIn[set] === 1 ? this.#small.get(set) : undefined;
      if (positions === undefined) continue;
      const from = firstFrom(positions, positionAt(chunk, 0));
      const slots = new Uint16Array(firstFrom(positions, positionAt(chunk + 1, 0)) - from);
      for (let at = 0; at < slots.length; at++) slots[at] = slotOf(positions[from + at] ?? 0);
      found[set] = formOf(slots);
    }
    return found;
  }

  /** The small sets with slots in a chunk, by chunk. Of very many sets, most have no slots in a chunk. */
  get #smallIn(): ReadonlyMap<number, readonly number[]> {
    return (this.#smallByChunk ??= byChunk(this.#small));
  }
}

/** The sets of a read. Cached, because a walk reads the same sets from chunk to chunk. */
interface Selection {
  /** The indexes of the selected large sets, by name. `teams` has the names of teams' sets among them. */
  readonly large: ReadonlyMap<string, number>;
  readonly teams: readonly string[];
  /** 1 at the index of each selected set. */
  readonly isIn: Uint8Array;
  readonly count: number;
}

/** If at most this many sets are selected, the array of a result may be shorter than the list of all sets. */
const FEW = 8;

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
