/**
 * Translates the slots of an earlier revision to those of a later one. A slot stands for one key only until its chunk is
 * split, which may happen between the two revisions; and generations share no slots.
 */
import { compareIds } from "../../domain/id.ts";
import type { Reading } from "../reading.ts";
import type { Universe } from "../schema/set-names.ts";
import { type Chunk, earlierChunk } from "./chunk.ts";
import { type UniverseIndex, universeIndex } from "./universe.ts";

/** A chunk of the later revision, and the chunks of the earlier revision with keys in its range. */
export interface AlignedChunk {
  readonly number: number;
  readonly others: readonly number[];
  /** Whether it is the same chunk on both sides, slot by slot: none of its keys was moved in between. */
  readonly same: boolean;
}

/** The chunks of a universe at two revisions, in the key order of the later one. */
export class Alignment {
  readonly chunks: readonly AlignedChunk[];
  readonly #byNumber: ReadonlyMap<number, AlignedChunk>;
  /** The translated slots of the last two chunks: the next comparison usually needs the same ones. */
  #last: { readonly from: Chunk; readonly to: Chunk; readonly slots: Int16Array } | undefined;

  /** The last chunk and what it was, for the same reason. */
  #were: { readonly chunk: Chunk; readonly earlier: Promise<Chunk> } | undefined;
  readonly #readings: readonly [before: Reading, after: Reading];
  readonly #universe: Universe;

  private constructor(
    readings: readonly [before: Reading, after: Reading],
    universe: Universe,
    before: UniverseIndex,
    after: UniverseIndex,
  ) {
    this.#readings = readings;
    this.#universe = universe;
    const [{ generation }, later] = readings;
    const isShared = generation === later.generation;
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
    this.#byNumber = new Map(this.chunks.map((chunk) => [chunk.number, chunk]));
  }

  static async of(before: Reading, after: Reading, universe: Universe): Promise<Alignment> {
    return new Alignment(
      [before, after],
      universe,
      await universeIndex(before, universe),
      await universeIndex(after, universe),
    );
  }

  /** The chunk of the later revision with a number. */
  at(number: number): AlignedChunk {
    return this.#byNumber.get(number) ?? { number, others: [], same: false };
  }

  /** What a chunk that is the same on both sides was at the earlier revision; `undefined` if that must be loaded. */
  async earlier(chunk: Chunk): Promise<Chunk | undefined> {
    const [before, after] = this.#readings;
    // A difference may also be asked for in the other direction.
    if (before.at.revision > after.at.revision) return undefined;
    if (this.#were?.chunk !== chunk)
      this.#were = { chunk, earlier: earlierChunk(before, after, this.#universe, chunk) };
    return this.#were.earlier;
  }

  /** The slot in a later chunk of each key of an earlier chunk, by its slot there; -1 for a key that is elsewhere. */
  slotsIn(from: Chunk, to: Chunk): Int16Array {
    if (this.#last?.from === from && this.#last.to === to) return this.#last.slots;
    const slots = new Int16Array(from.bytes.length).fill(-1);
    let at = 0;
    for (let ordinal = 0; ordinal < from.length; ordinal++) {
      const key = from.keyAt(ordinal);
      while (at < to.length && compareIds(to.keyAt(at), key) < 0) at++;
      if (at < to.length && to.keyAt(at) === key) slots[from.slotAt(ordinal)] = to.slotAt(at);
    }
    this.#last = { from, to, slots };
    return slots;
  }
}
