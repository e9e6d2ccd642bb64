import { type Span, WHOLE_CHUNK } from "../../../sets/fold.ts";
import { positionAt } from "../../../sets/position.ts";
import { asWords, type Slots } from "../../../sets/slots.ts";
import { hasSlot, isNone, noSlots, WORDS, type Words } from "../../../sets/words.ts";
import {
  chunksAfter,
  type ListedChunk,
  type Order,
  orderOfSets,
  type Place,
  placeAfter,
  type SlotOrder,
} from "../../sets/chunks.ts";
import { positionsFrom } from "../../sets/in-order.ts";
import { startAfter } from "../../sets/start.ts";
import { type ListedMemberRow, type MemberRow, nextMembers } from "../../directory/rows/member-rows.ts";
import { isSparse } from "../../directory/rows/position-rows.ts";
import type { Reading } from "../../reading.ts";
import { rank as rankOf } from "../../../domain/role.ts";
import { MEMBERS, type Universe } from "../../schema/set-names.ts";
import type { ChunkSets, ChunkSlots } from "../../sets/set-store.ts";
import { Turns } from "../../turns.ts";
import type { KnownSlots } from "./known-slots.ts";
import type { AccessQuery } from "./query.ts";
import type { Decided, RowDecisions } from "./row-decisions.ts";

/** A position on a page, with its effective role as a rank. */
export interface Hit {
  readonly position: number;
  readonly rank: number;
  readonly decided: () => Decided | undefined;
  /** The member's row, if the search has read it. */
  readonly row?: MemberRow | ListedMemberRow;
}

export interface Wanted {
  readonly count: number;
  readonly order: Order;
  /** Only positions with this rank; `undefined` for every rank. */
  readonly rank: number | undefined;
  /**
   * Whether entries need their source. If so, all sets are read, because an explanation names every team of the member
   * that has a permission.
   */
  readonly isExplained?: boolean;
}

/** The maximum number of containers per read. */
const FEW_CONTAINERS = 64;

/**
 * The number of member rows to read per entry of a page. Above 1, because guests may have no role. Higher on a remote
 * database, where a second read would cost another round trip.
 */
const SPARE = 1.06;
const SPARE_REMOTE = 1.25;

/** The number of reads of member rows after which the search continues with containers. */
const LOOKS = 4;

/** The maximum number of chunks per read. */
const TOGETHER = 16;

/**
 * Finds the entries of a page: the first positions with a role whose key is greater than `after`, in key order, or the
 * last ones below `after` if the order is descending.
 */
export async function find(
  reading: Reading,
  query: AccessQuery,
  after: string | undefined,
  wanted: Wanted,
): Promise<Hit[]> {
  const start = await startAfter(reading, query.universe, after, wanted.order);
  if (start === undefined) return [];
  return findFrom(reading, query, start, wanted);
}

/** Does what {@link find} does, from a place in a chunk instead of a key. */
export async function findFrom(
  reading: Reading,
  query: AccessQuery,
  first: Place,
  wanted: Wanted,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  const decisions = wanted.rank === undefined ? query.rowDecisions : undefined;
  const rest = decisions === undefined ? first : await findNext(reading, decisions, wanted, first, hits);
  if (rest !== undefined) await findInChunks(reading, query, wanted, rest, hits);
  return hits;
}

/**
 * Adds hits from the rows of the next members. Returns where to continue with containers; `undefined` if the page is
 * complete.
 */
async function findNext(
  reading: Reading,
  decisions: RowDecisions,
  wanted: Wanted,
  first: Place,
  hits: Hit[],
): Promise<Place | undefined> {
  const spare = reading.remote ? SPARE_REMOTE : SPARE;
  let from = first;
  for (let look = 0; look < LOOKS; look++) {
    const size = Math.ceil(spare * (wanted.count - hits.length));
    const { rows, next } = await nextMembers(reading, from, size);
    const found = await decisions.ofRows(reading, rows);
    if (found === undefined) return from;
    for (const [place, row] of rows.entries()) {
      const decided = found[place];
      if (decided === undefined) continue;
      hits.push({ position: row[0], rank: rankOf(decided.decision.role), decided: () => decided, row });
      if (hits.length === wanted.count) return undefined;
    }
    if (isSparse(rows.length, size, next)) return next;
    const following = next ?? (await placeAfter(reading, MEMBERS, from.chunk, wanted.order));
    if (following === undefined) return undefined;
    from = following;
  }
  return from;
}

/** Adds hits chunk by chunk, from the containers of sets. */
async function findInChunks(
  reading: Reading,
  query: AccessQuery,
  wanted: Wanted,
  from: Place,
  hits: Hit[],
): Promise<void> {
  const { rank, count, isExplained } = wanted;
  const { sets } = query.planFor(isExplained === true ? undefined : rank);
  const opened = await query.sets.open(reading);
  const ranks = isExplained === true ? undefined : query.ranksByHeads(opened, rank);
  if (ranks !== undefined) {
    const rest = { ...wanted, count: count - hits.length };
    hits.push(...(await amongRanks(reading, query.universe, ranks, from, rest)));
    return;
  }
  const known = rank === undefined ? undefined : query.knownSlots(reading);
  const knownIn = (chunk: number) => (rank === undefined ? undefined : known?.of(chunk, rank));
  const isWanted = (chunk: number) => knownIn(chunk)?.length !== 0 && query.has(opened, chunk, rank);
  const isRead = (chunk: number) => isExplained === true || knownIn(chunk) === undefined;
  const turns = new Turns();
  const most = Math.min(TOGETHER, Math.ceil(FEW_CONTAINERS / sets.length));
  for await (const chunks of batches(reading, query.universe, from.chunk, wanted.order, isWanted, most)) {
    const unread = chunks.map(({ number }) => number).filter(isRead);
    const read = unread.length === 0 ? [] : await query.read(reading, opened, unread, rank, isExplained);
    for (const each of chunks) {
      const { number: chunk } = each;
      const place = chunk === from.chunk ? from.place : undefined;
      const order = place === undefined ? await orderOfSets(reading, query.universe, each) : from.order;
      const slots = read[unread.indexOf(chunk)];
      if (slots !== undefined) collect(query, chunk, slots, order, place, wanted, hits, known);
      else if (rank !== undefined)
        recall(chunk, knownIn(chunk) ?? noSlots(), rank, order, place, wanted, hits);
      if (hits.length === count) return;
      await turns.give();
    }
  }
}

/** The first entries of a page from `from` on, in key order. `ranks` has the rank of each position. */
export async function amongRanks(
  reading: Reading,
  universe: Universe,
  ranks: ReadonlyMap<number, number>,
  from: Place,
  { count, order, rank }: Wanted,
): Promise<Hit[]> {
  const isHeld = (held: number) => (rank === undefined ? held > 0 : held === rank);
  const positions = [...ranks.keys()].filter((position) => isHeld(ranks.get(position) ?? 0));
  const found = await positionsFrom(reading, universe, positions, from, order, count);
  return found.map((position) => ({ position, rank: ranks.get(position) ?? 0, decided: () => undefined }));
}

/**
 * The wanted chunks of a walk, from `first` on, in batches. The batches grow, because the first chunk is often enough
 * to fill the page.
 */
async function* batches(
  reading: Reading,
  universe: Universe,
  first: number,
  order: Order,
  isWanted: (chunk: number) => boolean,
  most: number,
): AsyncGenerator<readonly ListedChunk[]> {
  if (isWanted(first)) yield [{ number: first, isInOrder: false }];
  let size = Math.min(2, most);
  let batch: ListedChunk[] = [];
  for (const chunk of await chunksAfter(reading, universe, first, order)) {
    if (!isWanted(chunk.number)) continue;
    if (batch.push(chunk) < size) continue;
    yield batch;
    batch = [];
    size = Math.min(2 * size, most);
  }
  if (batch.length > 0) yield batch;
}

/** Adds hits from the cached slots of a chunk. */
function recall(
  chunk: number,
  slots: Slots,
  rank: number,
  slotOrder: SlotOrder,
  place: number | undefined,
  { count, order }: Wanted,
  hits: Hit[],
): void {
  for (const slot of slotOrder.within(asWords(slots), place, order)) {
    hits.push({ position: positionAt(chunk, slot), rank, decided: () => undefined });
    if (hits.length === count) return;
  }
}

function collect(
  query: AccessQuery,
  chunk: number,
  slots: ChunkSets,
  order: SlotOrder,
  from: number | undefined,
  wanted: Wanted,
  hits: Hit[],
  known: KnownSlots | undefined,
): void {
  const { rank, count } = wanted;
  for (const span of spans(order, from, wanted)) {
    const { results, ladderOf, decidedAt, isWhole } = query.fold(slots, span, rank);
    const found = rank === undefined ? union(results, span) : results[rank];
    for (const [each, words] of results.entries()) {
      const isKnown = each === rank || isWhole === true;
      if (isKnown && words !== undefined) known?.remember(chunk, each, words);
    }
    if (found === undefined || isNone(found)) continue;
    for (const slot of order.within(found, from, wanted.order)) {
      const held = rank ?? rankAt(results, slot);
      const position = positionAt(chunk, slot);
      const decided = () => {
        if (decidedAt !== undefined) return decidedAt(slot);
        const ladder = ladderOf(slot, held);
        return ladder && query.decidedAt(slots, slot, ladder);
      };
      hits.push({ position, rank: held, decided });
      if (hits.length === count) return;
    }
  }
}

/**
 * The spans of a chunk to fold one after the other: first the smallest span that can fill the page, then the rest. With
 * `rank`, the only span is the whole chunk, so that all slots of the chunk with this rank can be cached.
 */
function* spans(
  { slots }: SlotOrder,
  place: number | undefined,
  { count, order, rank }: Wanted,
): Generator<Span> {
  if (rank !== undefined || slots !== undefined || order === "desc") {
    yield WHOLE_CHUNK;
    return;
  }
  const from = (place ?? 0) >>> 5;
  const to = Math.min(WORDS, from + Math.ceil(count / 32) + 1);
  yield { from, to };
  if (to < WORDS) yield { from: to, to: WORDS };
}

function rankAt(results: ChunkSlots, slot: number): number {
  return results.findLastIndex((words) => words !== undefined && hasSlot(words, slot));
}

/** The slots of the span that have any rank. */
function union(results: ChunkSlots, { from, to }: Span): Words {
  const all = new Uint32Array(to);
  for (const words of results) {
    if (words === undefined) continue;
    for (let index = from; index < to; index++) all[index] = (all[index] ?? 0) | (words[index] ?? 0);
  }
  return all;
}
