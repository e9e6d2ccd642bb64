/**
 * What differs between two access queries: the same content without one of its sources, one content at two revisions of a
 * generation, or what two members reach. Both are folded chunk by chunk and compared; only chunks that both have are.
 */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Effect } from "../../domain/explanation/effect.ts";
import { type Differing, differing } from "../../sets/difference.ts";
import { positionAt } from "../../sets/position.ts";
import { countSlots, hasSlot, type Words } from "../../sets/words.ts";
import { type Chunk, chunksOf, slotOrderOf } from "../sets/chunks.ts";
import { startBehind } from "../sets/start.ts";
import type { Reading } from "../reading.ts";
import type { ChunkSlots } from "../sets/set-store.ts";
import type { AccessQuery } from "./query.ts";

/** What becomes of a role, from the gravest on. */
export const DIRECTIONS = ["lost", "lowered", "raised", "gained"] as const;
export type Direction = (typeof DIRECTIONS)[number];
/** How many slots of a chunk differ in which way, by the chunk's number. */
export type ChunkCounts = Map<number, Effect>;

/** One of two queries, and where it is read. */
export interface Side {
  readonly reading: Reading;
  readonly query: AccessQuery;
  /** Changes the sets of a chunk before they are folded. */
  readonly amend?: (chunk: number, sets: (Words | undefined)[]) => void;
}

/** A role of one slot, and the sets that tell why. */
export interface SideHit {
  readonly rank: number;
  readonly sets: readonly (Words | undefined)[];
}

/** A slot whose role differs; a side without a role is absent. */
export interface DifferenceHit {
  readonly position: number;
  readonly slot: number;
  readonly before: SideHit | undefined;
  readonly after: SideHit | undefined;
}

/** One chunk, compared. */
export interface ComparedChunk {
  readonly directions: Differing;
  hit(slot: number): DifferenceHit;
  /** The slots that have the same role on both sides. */
  same(): Words;
}

/** The time in milliseconds after which other requests get a turn. */
const TURN = 4;

export class AccessDifference {
  readonly before: Side;
  readonly after: Side;
  readonly #within: ((chunk: number) => boolean) | undefined;
  readonly #counts: ChunkCounts;

  /**
   * `within` returns whether anything can differ in a chunk; if absent, all chunks are compared. `counts` holds the counts
   * of chunks that were compared before. The two queries are different objects.
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

  /** The chunks in which anything can differ, in the order of their keys. */
  async chunks(): Promise<readonly Chunk[]> {
    const { reading, query } = this.before;
    const chunks = await chunksOf(reading, query.universe);
    const others = new Set((await chunksOf(this.after.reading, query.universe)).map(({ number }) => number));
    const sets = await Promise.all(
      [this.before, this.after].map((side) => side.query.sets.open(side.reading)),
    );
    return chunks.filter(
      ({ number }) =>
        others.has(number) && this.#within?.(number) !== false && sets.some((each) => each.has(number)),
    );
  }

  /** Compares one chunk. What `use` is given holds while it runs: afterwards somebody else may fold the same queries. */
  async at<Result>(chunk: number, use: (compared: ComparedChunk) => Result): Promise<Result> {
    const [had, has] = await Promise.all([setsOf(this.before, chunk), setsOf(this.after, chunk)]);
    const before = foldOf(this.before, had);
    const after = foldOf(this.after, has);
    const directions = differing(before, after);
    if (!this.#counts.has(chunk)) this.#counts.set(chunk, countsIn(directions));
    return use({
      directions,
      hit: (slot) => ({
        position: positionAt(chunk, slot),
        slot,
        before: sideAt(before, had, slot),
        after: sideAt(after, has, slot),
      }),
      same: () => sameIn(before, after),
    });
  }

  /** How many differ in which way. */
  async counts(): Promise<Effect> {
    let total: Effect = { lost: 0, lowered: 0, raised: 0, gained: 0 };
    for await (const chunk of inTurns(await this.chunks())) {
      if (!this.#counts.has(chunk.number)) await this.at(chunk.number, () => {});
      total = added(total, this.#counts.get(chunk.number));
    }
    return total;
  }

  /** The first `count` slots after a key that differ in one direction, in key order. */
  async find(direction: Direction, after: string | undefined, count: number): Promise<DifferenceHit[]> {
    return this.walk(
      after,
      count,
      ({ directions }) => directions[direction],
      (chunk) => this.#counts.get(chunk)?.[direction] === 0,
    );
  }

  /** The first `count` of some slots after a key, in key order; `skips` says which chunks have none. */
  async walk(
    after: string | undefined,
    count: number,
    wanted: (chunk: ComparedChunk, number: number) => Words,
    skips: (chunk: number) => boolean = () => false,
  ): Promise<DifferenceHit[]> {
    const { reading, query } = this.before;
    const hits: DifferenceHit[] = [];
    const first = await startBehind(reading, query.universe, after, "asc");
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

/** The number of slots in each direction of difference. */
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

/** Goes through things and lets others have their turn. */
export async function* inTurns<Thing>(things: Iterable<Thing>): AsyncGenerator<Thing> {
  let begun = performance.now();
  for (const thing of things) {
    yield thing;
    if (performance.now() - begun < TURN) continue;
    await yieldToEventLoop();
    begun = performance.now();
  }
}

async function setsOf({ reading, query, amend }: Side, chunk: number): Promise<(Words | undefined)[]> {
  const sets = await (await query.sets.open(reading)).read(reading, chunk);
  amend?.(chunk, sets);
  return sets;
}

/** What a fold finds, for as long as it is looked at: the next fold works in the same place. */
function foldOf({ query }: Side, sets: ChunkSlots): ChunkSlots {
  return query.fold(sets).results.map((words) => words?.slice());
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
