/**
 * Compares two access queries chunk by chunk. For example: a content with and without one of its sources, a content at
 * two revisions of a generation, or the contents that two members can see. Skips chunks that exist at only one of the
 * two revisions.
 */
import type { Effect } from "../../../domain/explanation/effect.ts";
import { type Differing, differing } from "../../../sets/difference.ts";
import { positionAt } from "../../../sets/position.ts";
import { addAll, countSlots, hasSlot, keepOnly, noSlots, type Words } from "../../../sets/words.ts";
import { type Chunk, chunksOf, slotOrderOf } from "../../sets/chunks.ts";
import { startAfter } from "../../sets/start.ts";
import type { Reading } from "../../reading.ts";
import type { ChunkSlots } from "../../sets/set-store.ts";
import type { AccessQuery } from "./query.ts";
import { inTurns } from "../../turns.ts";

/** How a role differs, most severe first. */
export const DIRECTIONS = ["lost", "lowered", "raised", "gained"] as const;
export type Direction = (typeof DIRECTIONS)[number];
/** The number of differing slots in each direction, by chunk. */
export type ChunkCounts = Map<number, Effect>;

/** One of the two compared queries, and the reading that it uses. */
export interface Side {
  readonly reading: Reading;
  readonly query: AccessQuery;
  /** Modifies the sets of a chunk before they are folded. */
  readonly amend?: (chunk: number, sets: (Words | undefined)[]) => void;
  /** The query with a filter, whose results are a part of the query's. */
  readonly kept?: Kept | undefined;
}

/** A query with a filter. With `rank`, only slots with this rank pass the filter. */
export interface Kept {
  readonly query: AccessQuery;
  readonly rank: number | undefined;
}

/** The role of a slot, as a rank, and the sets of the chunk, which explain the role. */
export interface SideHit {
  readonly rank: number;
  readonly sets: readonly (Words | undefined)[];
}

/** A slot whose role differs. `before` or `after` is `undefined` if the slot has no role there. */
export interface DifferenceHit {
  readonly position: number;
  readonly slot: number;
  readonly before: SideHit | undefined;
  readonly after: SideHit | undefined;
}

export interface ComparedChunk {
  readonly directions: Differing;
  hit(slot: number): DifferenceHit;
  /** The slots that have the same role before and after. */
  same(): Words;
}

export class AccessDifference {
  readonly before: Side;
  readonly after: Side;
  readonly #within: ((chunk: number) => boolean) | undefined;
  readonly #counts: ChunkCounts;

  /**
   * `within` returns whether a chunk may have differences; by default, every chunk may. `counts` has the counts of
   * chunks that were compared earlier. The two sides must have different query objects.
   */
  constructor(
    before: Side,
    after: Side,
    within?: (chunk: number) => boolean,
    counts: ChunkCounts = new Map<number, Effect>(),
  ) {
    this.before = before;
    this.after = after;
    this.#within = within;
    this.#counts = counts;
  }

  /** The chunks that may have differences, in key order. */
  async chunks(): Promise<readonly Chunk[]> {
    const { reading, query } = this.before;
    const chunks = await chunksOf(reading, query.universe);
    const others = new Set((await chunksOf(this.after.reading, query.universe)).map(({ number }) => number));
    const sides = await Promise.all([this.before, this.after].map(chunksWith));
    return chunks.filter(
      ({ number }) =>
        others.has(number) && this.#within?.(number) !== false && sides.some((has) => has(number)),
    );
  }

  /** This difference, restricted to slots that pass a filter on at least one side. */
  narrowed(before: Kept | undefined, after: Kept | undefined, counts?: ChunkCounts): AccessDifference {
    const within = this.#within;
    return new AccessDifference(
      { ...this.before, kept: before },
      { ...this.after, kept: after },
      within,
      counts,
    );
  }

  /** Compares one chunk. `use` must not keep its argument, because later folds reuse the memory. */
  async at<Result>(chunk: number, use: (compared: ComparedChunk) => Result): Promise<Result> {
    const [had, has] = await Promise.all([setsOf(this.before, chunk), setsOf(this.after, chunk)]);
    const before = foldOf(this.before, had);
    const after = foldOf(this.after, has);
    const kept = keptBy([this.before, had], [this.after, has]);
    const directions = differing(before, after);
    if (kept !== undefined) for (const words of Object.values(directions)) keepOnly(words, kept);
    if (!this.#counts.has(chunk)) this.#counts.set(chunk, countsIn(directions));
    return use({
      directions,
      hit: (slot) => ({
        position: positionAt(chunk, slot),
        slot,
        before: sideAt(before, had, slot),
        after: sideAt(after, has, slot),
      }),
      same: () => (kept === undefined ? sameIn(before, after) : keepOnly(sameIn(before, after), kept)),
    });
  }

  /** The number of differing slots in each direction, in all chunks. */
  async counts(): Promise<Effect> {
    let total: Effect = { lost: 0, lowered: 0, raised: 0, gained: 0 };
    for await (const chunk of inTurns(await this.chunks())) {
      if (!this.#counts.has(chunk.number)) await this.at(chunk.number, () => {});
      total = added(total, this.#counts.get(chunk.number));
    }
    return total;
  }

  /** The first `count` slots whose key is greater than `after` and whose role differs in `direction`, in key order. */
  async find(direction: Direction, after: string | undefined, count: number): Promise<DifferenceHit[]> {
    return this.walk(
      after,
      count,
      ({ directions }) => directions[direction],
      (chunk) => this.#counts.get(chunk)?.[direction] === 0,
    );
  }

  /**
   * The first `count` slots whose key is greater than `after`, in key order, among the slots that `wanted` returns for
   * each chunk. `skips` returns whether a chunk is known to have none of them.
   */
  async walk(
    after: string | undefined,
    count: number,
    wanted: (chunk: ComparedChunk, number: number) => Words,
    skips: (chunk: number) => boolean = () => false,
  ): Promise<DifferenceHit[]> {
    const { reading, query } = this.before;
    const hits: DifferenceHit[] = [];
    const first = await startAfter(reading, query.universe, after, "asc");
    if (first === undefined) return hits;
    const all = (await chunksOf(reading, query.universe)).map(({ number }) => number);
    const before = new Set(all.slice(0, all.indexOf(first.chunk)));
    for await (const chunk of inTurns(await this.chunks())) {
      if (before.has(chunk.number) || skips(chunk.number)) continue;
      const from = chunk.number === first.chunk ? first.place : 0;
      const order =
        chunk.number === first.chunk ? first.order : await slotOrderOf(reading, query.universe, chunk.number);
      await this.at(chunk.number, (compared) => {
        for (const slot of order.within(wanted(compared, chunk.number), from)) {
          hits.push(compared.hit(slot));
          if (hits.length === count) break;
        }
      });
      if (hits.length === count) break;
    }
    return hits;
  }
}

export function countsIn(directions: Differing): Effect {
  const { lost, lowered, raised, gained } = directions;
  return {
    lost: countSlots(lost),
    lowered: countSlots(lowered),
    raised: countSlots(raised),
    gained: countSlots(gained),
  };
}

export function added(total: Effect, more: Effect | undefined): Effect {
  if (more === undefined) return total;
  return {
    lost: total.lost + more.lost,
    lowered: total.lowered + more.lowered,
    raised: total.raised + more.raised,
    gained: total.gained + more.gained,
  };
}

/** Whether a chunk may have slots of a side. */
async function chunksWith({ reading, query, kept }: Side): Promise<(chunk: number) => boolean> {
  const sets = await (kept?.query ?? query).sets.open(reading);
  return (chunk) => (kept === undefined ? sets.has(chunk) : kept.query.has(sets, chunk, kept.rank));
}

async function setsOf({ reading, query, amend, kept }: Side, chunk: number): Promise<(Words | undefined)[]> {
  // A filtered query has the sets of the unfiltered query at the same indexes, followed by the sets of the filter.
  const sets = await (await (kept?.query ?? query).sets.open(reading)).read(reading, chunk);
  amend?.(chunk, sets);
  return sets;
}

/** Copies the results of the fold, because the next fold reuses their memory. */
function foldOf({ query }: Side, sets: ChunkSlots): ChunkSlots {
  return query.fold(sets).results.map((words) => words?.slice());
}

/** The slots that pass the filter of either side; `undefined` without a filter. */
function keptBy(...sides: readonly (readonly [Side, ChunkSlots])[]): Words | undefined {
  if (sides.every(([{ kept }]) => kept === undefined)) return undefined;
  const passing = noSlots();
  for (const [{ kept }, sets] of sides) {
    const results = kept?.query.fold(sets).results ?? [];
    for (const words of kept?.rank === undefined ? results : [results[kept.rank]]) addAll(passing, words);
  }
  return passing;
}

function sideAt(found: ChunkSlots, sets: SideHit["sets"], slot: number): SideHit | undefined {
  const rank = found.findLastIndex((words) => words !== undefined && hasSlot(words, slot));
  return rank < 1 ? undefined : { rank, sets };
}

function sameIn(before: ChunkSlots, after: ChunkSlots): Words {
  const same = new Uint32Array(before[1]?.length ?? 0);
  for (const [place, words] of before.entries()) {
    const others = after[place];
    if (words === undefined || others === undefined) continue;
    for (const [index, word] of words.entries())
      same[index] = (same[index] ?? 0) | (word & (others[index] ?? 0));
  }
  return same;
}
