/**
 * Translates positions from an earlier revision to a later one. A position stands for one user id only until
 * its chunk is split, which may happen between the two revisions.
 */
import type { TwoReadings } from "./log.ts";
import { compareIds } from "../../../domain/id.ts";
import { type Head } from "../../../sets/head.ts";
import { chunkOf, positionAt, SLOTS, slotOf } from "../../../sets/position.ts";
import { addSlot, noSlots, slotsFrom, type Words } from "../../../sets/words.ts";
import { holds } from "../../schema/as-of.ts";
import { statement } from "../../engine/engine.ts";
import type { Reading } from "../../reading.ts";
import { MEMBERS } from "../../schema/set-names.ts";
import type { ChunkedSets } from "../../memory/sets.ts";
import { universeIndex, type UniverseIndex } from "../../memory/universe.ts";

/** A chunk of the later revision, and the chunks of the earlier revision with keys in its range. */
export interface AlignedChunk {
  readonly number: number;
  readonly others: readonly number[];
  /** Whether it is the same chunk on both sides, slot by slot: none of its keys was moved in between. */
  readonly same: boolean;
}

const KEYS = statement<[position: number, key: string]>(
  () => `
    SELECT m.position, m.id FROM member m WHERE ${holds("m")} AND m.position >= $3 AND m.position < $4`,
);

type ReadableSets = Pick<ChunkedSets, "size" | "read">;

/** The chunks of members at two revisions, in the key order of the later one. */
export class Alignment {
  readonly chunks: readonly AlignedChunk[];
  readonly sides: TwoReadings;
  readonly #behind = new Map<number, number[]>();
  /**
   * The slots of earlier chunks, translated to one chunk of the later revision, by the number of the earlier chunk. -1
   * for a key that is missing at the later revision.
   */
  #translated: { readonly chunk: number; readonly slots: Map<number, Int16Array> } | undefined;
  #keys: { readonly chunk: number; readonly slots: Map<string, number> } | undefined;

  constructor(sides: TwoReadings, before: UniverseIndex, after: UniverseIndex) {
    this.sides = sides;
    const isShared = sides.before.generation === sides.after.generation;
    const since = new Map(before.chunks.map((number, index) => [number, before.since[index]]));
    this.chunks = after.chunks.map((number, index) => {
      if (isShared && since.get(number) === after.since[index]) {
        return { number, others: [number], same: true };
      }
      const next = after.lowest[index + 1];
      const first = before.chunkWith(after.lowest[index] ?? "");
      const behind = next === undefined ? -1 : before.lowest.findIndex((key) => compareIds(key, next) >= 0);
      const others = before.chunks.slice(first, behind < 0 ? undefined : behind);
      return { number, others, same: false };
    });
    for (const { number, others } of this.chunks) {
      for (const other of others) {
        this.#behind.set(other, [...(this.#behind.get(other) ?? []), number]);
      }
    }
  }

  static async of(sides: TwoReadings): Promise<Alignment> {
    const { before, after } = sides;
    return new Alignment(sides, await universeIndex(before, MEMBERS), await universeIndex(after, MEMBERS));
  }

  /** The chunks of the later revision that may have members of a set of the earlier revision. */
  chunksOfBefore(head: Head): number[] {
    return [...chunksIn(head)].flatMap((chunk) => this.#behind.get(chunk) ?? []);
  }

  /** Reads sets of the earlier revision, translated to the slots of a chunk of the later revision. */
  async read(sets: ReadableSets, { number, others, same }: AlignedChunk): Promise<(Words | undefined)[]> {
    const { before } = this.sides;
    if (same) return sets.read(before, number);
    const found = Array.from<Words | undefined>({ length: sets.size });
    for (const other of others) {
      const slots = await this.#slotsOf(number, other);
      for (const [set, words] of (await sets.read(before, other)).entries()) {
        if (words === undefined) continue;
        for (const slot of slotsFrom(words)) {
          const now = slots[slot] ?? -1;
          if (now >= 0) addSlot((found[set] ??= noSlots()), now);
        }
      }
    }
    return found;
  }

  async #slotsOf(chunk: number, other: number): Promise<Int16Array> {
    if (this.#translated?.chunk !== chunk) this.#translated = { chunk, slots: new Map() };
    let slots = this.#translated.slots.get(other);
    if (slots === undefined) {
      const { before, after } = this.sides;
      if (this.#keys?.chunk !== chunk) {
        const keys = await this.#keysIn(after, chunk);
        this.#keys = { chunk, slots: new Map(keys.map(([position, key]) => [key, slotOf(position)])) };
      }
      slots = new Int16Array(SLOTS).fill(-1);
      for (const [position, key] of await this.#keysIn(before, other)) {
        const now = this.#keys.slots.get(key);
        if (now !== undefined) slots[slotOf(position)] = now;
      }
      this.#translated.slots.set(other, slots);
    }
    return slots;
  }

  #keysIn(reading: Reading, chunk: number): Promise<[position: number, key: string][]> {
    const [from, to] = [positionAt(chunk, 0), positionAt(chunk + 1, 0)];
    return reading.read(KEYS, ...reading.asOf, from, to);
  }
}

/** The chunks with positions of a set, without duplicates. */
export function chunksIn(head: Head): Iterable<number> {
  return "chunks" in head ? head.chunks : new Set([...head.positions].map(chunkOf));
}
