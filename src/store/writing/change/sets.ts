/**
 * The sets of a universe during a change. A stored set is a head, with all positions of a small set or the chunks of a
 * large one, and a container for each chunk of a large one. The heads of users with a direct permission are in the row of
 * their content. A change reads what it needs of a set once, adds and removes
 * positions in memory, and at the end writes the head and the containers that differ.
 */
import { rank } from "../../../domain/role.ts";
import { addContainer, containerOf } from "../../../sets/container.ts";
import {
  EMPTY,
  type Head,
  SMALL,
  SMALL_AGAIN,
  firstFrom,
  headBytes,
  headOf,
  isEmpty,
} from "../../../sets/head.ts";
import { chunkOf, positionAt, slotOf } from "../../../sets/position.ts";
import {
  type Words,
  addAll,
  addSlot,
  countSlots,
  noSlots,
  removeAll,
  removeSlot,
  slotsFrom,
} from "../../../sets/words.ts";
import { statement } from "../../engine/engine.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { type Universe, givenIn } from "../../schema/set-names.ts";
import { HEADS } from "../../sets/containers.ts";
import { CONTAINER, CONTENT, type Writing } from "./tables.ts";

type SetRow = [name: string, bits: Uint8Array];

/** The current containers of a chunk. */
const IN_CHUNK = statement<SetRow>(
  () => `
    SELECT c.name, c.bits FROM container c
      WHERE c.generation = $1 AND c.universe = $2 AND c.chunk = $3 AND c.until = ${FOREVER}`,
);

/** A set during a change, with the containers that were read or changed so far. */
interface OpenSet {
  /** The head of the set as stored. */
  readonly head: Head;
  readonly words: Map<number, Words>;
  readonly touched: Set<number>;
  /** Whether positions were removed. A large set from which none was removed stays large. */
  shrunk: boolean;
}

/** The chunks in which a set may have slots, ascending. The list of a head is long, so it is searched, not looped over. */
function chunksIn({ head, words }: OpenSet): Uint32Array {
  const stored = "chunks" in head ? head.chunks : new Uint32Array();
  const gone = new Set<number>();
  const added: number[] = [];
  for (const [chunk, own] of words) {
    if (isBlank(own)) gone.add(chunk);
    else if (!isStored(head, chunk)) added.push(chunk);
  }
  const kept = gone.size === 0 ? stored : stored.filter((chunk) => !gone.has(chunk));
  if (added.length === 0) return kept;
  const chunks = new Uint32Array(kept.length + added.length);
  chunks.set(kept);
  chunks.set(added, kept.length);
  return chunks.sort();
}

function isStored(head: Head, chunk: number): boolean {
  return "chunks" in head && head.chunks[firstFrom(head.chunks, chunk)] === chunk;
}

/** Whether the words have no slot. */
function isBlank(words: Words): boolean {
  return words.every((word) => word === 0);
}

/** The new position of each position that is moved. */
export type Moves = ReadonlyMap<number, number>;

/** Positions by chunk. */
export type ByChunk = ReadonlyMap<number, Words>;

/** Collects the changes of the sets of a universe in memory, and writes each set once. */
export class SetChanges {
  readonly #writing: Writing;
  readonly #universe: Universe;
  readonly #open = new Map<string, OpenSet>();
  /**
   * Small sets in which positions were only moved. A split moves positions of thousands of sets, so they have a cheaper
   * form than {@link OpenSet}.
   */
  readonly #moved = new Map<string, Uint32Array>();

  constructor(writing: Writing, universe: Universe) {
    this.#writing = writing;
    this.#universe = universe;
  }

  /** The names of the sets that were read, and may differ from what is stored. */
  get known(): readonly string[] {
    return [...this.#open.keys(), ...this.#moved.keys()];
  }

  /**
   * Moves positions of the given sets in a chunk. `living` has all positions of the chunk that sets may contain. Reads
   * many sets at once: single reads would take most of the time of a split.
   */
  async move(
    names: Iterable<string>,
    chunk: number,
    living: ReadonlySet<number>,
    moves: Moves,
  ): Promise<void> {
    const to = (name: string, position: number) => {
      if (living.has(position)) return moves.get(position) ?? position;
      throw new Error(`The set ${name} holds ${chunkOf(position)}/${slotOf(position)}, where nobody is.`);
    };
    const { connection, generation } = this.#writing;
    const all = [...names];
    const unread = all.filter((name) => !this.#open.has(name) && !this.#moved.has(name)).sort();
    await this.#loadHeads(unread);
    for (const name of unread) {
      const head = await this.#readHead(name);
      if ("positions" in head && !isEmpty(head)) this.#moved.set(name, head.positions);
      else this.#begin(name, head);
    }
    for (const [name, bits] of await connection.read(IN_CHUNK, generation, this.#universe, chunk)) {
      const { words } = this.#open.get(name) ?? {};
      if (words === undefined || words.has(chunk)) continue;
      const read = noSlots();
      addContainer(read, bits);
      words.set(chunk, read);
    }
    for (const name of all) {
      const positions = this.#moved.get(name);
      if (positions === undefined) await this.#move(name, chunk, (position) => to(name, position));
      else
        this.#moved.set(
          name,
          positions.map((each) => (chunkOf(each) === chunk ? to(name, each) : each)).sort(),
        );
    }
  }

  /** Reads the heads of sets at once. */
  async load(names: Iterable<string>): Promise<void> {
    const unread = new Set([...names].filter((name) => !this.#open.has(name) && !this.#moved.has(name)));
    await this.#loadHeads(unread);
    for (const name of unread) await this.#opened(name);
  }

  /** Reads sets at once: their heads and all containers. */
  async loadAll(names: Iterable<string>): Promise<void> {
    const all = [...new Set(names)];
    await this.load(all);
    await this.#loadChunks(
      all.flatMap((name) => {
        const { head = EMPTY } = this.#open.get(name) ?? {};
        return "chunks" in head ? Array.from(head.chunks, (chunk) => [name, chunk] as const) : [];
      }),
    );
  }

  /** Reads sets at once: their heads, and for each the container with a position. */
  async loadAt(wanted: readonly (readonly [name: string, position: number])[]): Promise<void> {
    await this.load(wanted.map(([name]) => name));
    await this.#loadChunks(
      wanted.flatMap(([name, position]) => {
        const chunk = chunkOf(position);
        return isStored(this.#open.get(name)?.head ?? EMPTY, chunk) ? [[name, chunk]] : [];
      }),
    );
  }

  async #loadChunks(wanted: readonly (readonly [name: string, chunk: number])[]): Promise<void> {
    const unread = wanted.filter(([name, chunk]) => this.#open.get(name)?.words.has(chunk) !== true);
    await CONTAINER.load(
      this.#writing,
      unread.map(([name, chunk]) => this.#key(chunk, name)),
    );
  }

  async add(name: string, position: number): Promise<void> {
    addSlot(await this.#change(name, chunkOf(position)), slotOf(position));
  }

  async remove(name: string, position: number): Promise<void> {
    removeSlot(await this.#change(name, chunkOf(position), true), slotOf(position));
  }

  async addAll(name: string, positions: ByChunk): Promise<void> {
    for (const [chunk, more] of positions) {
      addAll(await this.#change(name, chunk), more);
    }
  }

  async removeAll(name: string, positions: ByChunk): Promise<void> {
    for (const [chunk, fewer] of positions) {
      removeAll(await this.#change(name, chunk, true), fewer);
    }
  }

  /** All positions of a set. Copy the result to keep it, because later changes modify the same words. */
  async all(name: string): Promise<ByChunk> {
    const open = await this.#opened(name);
    for (const chunk of chunksIn(open)) await this.#read(name, open, chunk);
    return new Map([...open.words].filter(([, words]) => !isBlank(words)));
  }

  async inChunk(name: string, chunk: number): Promise<Words> {
    return this.#read(name, await this.#opened(name), chunk);
  }

  /** The positions of a set, ascending. */
  async positions(name: string): Promise<number[]> {
    const all = await this.all(name);
    return [...all].flatMap(([chunk, words]) => [...slotsFrom(words)].map((slot) => positionAt(chunk, slot)));
  }

  async isEmpty(name: string): Promise<boolean> {
    const open = await this.#opened(name);
    for (const chunk of chunksIn(open)) {
      if (!isBlank(await this.#read(name, open, chunk))) return false;
    }
    return true;
  }

  /** Puts all changed sets into rows of {@link CONTAINER} and {@link CONTENT}, which the caller then flushes. */
  async finish(): Promise<void> {
    await this.#loadHeads(this.known);
    for (const [name, open] of this.#open) if (open.touched.size > 0) await this.#write(name, open);
    for (const [name, positions] of this.#moved) await this.#putHead(name, { positions });
    this.#open.clear();
    this.#moved.clear();
  }

  async #move(name: string, chunk: number, newPosition: (position: number) => number): Promise<void> {
    const words = await this.inChunk(name, chunk);
    let into = words;
    let at = chunk;
    for (const slot of slotsFrom(words)) {
      const to = newPosition(positionAt(chunk, slot));
      if (chunkOf(to) === chunk) continue;
      if (chunkOf(to) !== at) into = await this.#change(name, (at = chunkOf(to)));
      addSlot(into, slotOf(to));
      removeSlot(words, slot);
    }
    if (at !== chunk) await this.#change(name, chunk);
  }

  async #change(name: string, chunk: number, isRemoval = false): Promise<Words> {
    const open = await this.#opened(name);
    const words = await this.#read(name, open, chunk);
    open.touched.add(chunk);
    open.shrunk ||= isRemoval;
    return words;
  }

  async #opened(name: string): Promise<OpenSet> {
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    const positions = this.#moved.get(name);
    if (positions !== undefined) {
      this.#moved.delete(name);
      const open = this.#begin(name, { positions });
      for (const chunk of open.words.keys()) open.touched.add(chunk);
      return open;
    }
    return this.#begin(name, await this.#readHead(name));
  }

  #begin(name: string, head: Head): OpenSet {
    const words = new Map<number, Words>();
    if ("positions" in head) {
      for (const position of head.positions) {
        const chunk = chunkOf(position);
        const own = words.get(chunk) ?? noSlots();
        addSlot(own, slotOf(position));
        words.set(chunk, own);
      }
    }
    const open = { head, words, touched: new Set<number>(), shrunk: false };
    this.#open.set(name, open);
    return open;
  }

  async #read(name: string, { head, words }: OpenSet, chunk: number): Promise<Words> {
    const known = words.get(chunk);
    if (known !== undefined) return known;
    const read = noSlots();
    if (isStored(head, chunk)) {
      const [bits] = (await CONTAINER.read(this.#writing, this.#key(chunk, name))) ?? [];
      if (bits !== undefined) addContainer(read, bits);
    }
    words.set(chunk, read);
    return read;
  }

  async #write(name: string, open: OpenSet): Promise<void> {
    const { head, words, touched } = open;
    const chunks = chunksIn(open);
    const stored = "chunks" in head ? head.chunks : new Uint32Array();
    if (await this.#isSmall(name, open, chunks.length)) {
      const positions = await this.positions(name);
      for (const chunk of stored) this.#end(chunk, name);
      return this.#putHead(name, { positions: Uint32Array.from(positions).sort() });
    }
    for (const chunk of "positions" in head ? chunks : touched) {
      const own = words.get(chunk);
      const isThere = isStored(head, chunk);
      if (own !== undefined && !isBlank(own)) {
        if (isThere) this.#put(chunk, name, containerOf(own));
        else CONTAINER.insert(this.#writing, this.#key(chunk, name), [containerOf(own)]);
      } else if (isThere) this.#end(chunk, name);
    }
    const isSame = stored.length === chunks.length && chunks.every((chunk, index) => chunk === stored[index]);
    if (!isSame) await this.#putHead(name, { chunks });
  }

  /**
   * Whether the set's positions are stored in its head: up to {@link SMALL} positions, or up to {@link SMALL_AGAIN} if
   * the set was large before.
   */
  async #isSmall(name: string, { head, touched, words, shrunk }: OpenSet, chunks: number): Promise<boolean> {
    const isLarge = "chunks" in head;
    if (isLarge && !shrunk) return false;
    const most = isLarge ? SMALL_AGAIN : SMALL;
    let size = 0;
    // The changed containers alone may exceed the limit. If so, no further container is read.
    for (const chunk of touched) size += countSlots(words.get(chunk) ?? noSlots());
    if (size > most || chunks > most) return false;
    return (await this.positions(name)).length <= most;
  }

  /** Reads the rows with the heads of sets at once. */
  async #loadHeads(names: Iterable<string>): Promise<void> {
    const [inContents = [], others = []] = [true, false].map((isGiven) =>
      [...names].filter((name) => (givenIn(name) !== undefined) === isGiven),
    );
    const contents = new Set(inContents.map((name) => givenIn(name)?.content ?? ""));
    await CONTENT.load(
      this.#writing,
      Array.from(contents, (content) => [content]),
    );
    await CONTAINER.load(
      this.#writing,
      others.map((name) => this.#key(HEADS, name)),
    );
  }

  async #readHead(name: string): Promise<Head> {
    const given = givenIn(name);
    let bits: Uint8Array | null = null;
    if (given === undefined) {
      [bits = null] = (await CONTAINER.read(this.#writing, this.#key(HEADS, name))) ?? [];
    } else {
      const [, , , , , , , , ...direct] = (await CONTENT.read(this.#writing, [given.content])) ?? [];
      bits = direct[rank(given.role) - 1] ?? null;
    }
    return bits === null ? EMPTY : headOf(bits);
  }

  /** An empty set has no head. */
  async #putHead(name: string, head: Head): Promise<void> {
    const given = givenIn(name);
    if (given === undefined) {
      if (isEmpty(head)) this.#end(HEADS, name);
      else this.#put(HEADS, name, headBytes(head));
      return;
    }
    const row = await CONTENT.read(this.#writing, [given.content]);
    if (row === undefined) {
      if (isEmpty(head)) return;
      throw new Error(`There is no ${given.content} on which the set ${name} gives a permission.`);
    }
    const [parent, title, level, depth, position, doc, look, teams, ...direct] = row;
    direct[rank(given.role) - 1] = isEmpty(head) ? null : headBytes(head);
    CONTENT.put(
      this.#writing,
      [given.content],
      [parent, title, level, depth, position, doc, look, teams, ...direct],
    );
  }

  #put(chunk: number, name: string, bits: Uint8Array): void {
    CONTAINER.put(this.#writing, this.#key(chunk, name), [bits]);
  }

  #end(chunk: number, name: string): void {
    CONTAINER.end(this.#writing, this.#key(chunk, name));
  }

  #key(chunk: number, name: string): [universe: number, chunk: number, name: string] {
    return [this.#universe, chunk, name];
  }
}
