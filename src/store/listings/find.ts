import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { positionAt, SLOTS } from "../../sets/position.ts";
import { type Span, WHOLE_CHUNK } from "../../sets/fold.ts";
import { countSlots, hasSlot, slotsDownFrom, slotsFrom, WORDS, type Words } from "../../sets/words.ts";
import { type Chunk, chunksOf, type Order, startBehind } from "../chunks.ts";
import type { MemberRow } from "../member-rows.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS } from "../set-names.ts";
import { readStretch } from "../stretch.ts";
import type { AccessQuery, Found } from "./query.ts";

/** One slot with an effective role, and the sets of its chunk, which tell why. */
export interface Hit {
  readonly position: number;
  readonly slot: number;
  readonly rank: number;
  readonly sets: readonly (Words | undefined)[];
  /** The member, where it was read on the way. */
  readonly row?: MemberRow;
}

export interface Wanted {
  readonly after: string | undefined;
  readonly count: number;
  readonly order: Order;
  /** Exactly this rank; every one where it is absent. */
  readonly rank: number | undefined;
}

/** A page is made in one turn of the event loop unless it takes longer than this, in milliseconds. */
const TURN = 4;

/** For each entry of a page, so many members are looked at first: some of them may be guests. */
const SPARE = 1.25;

/** The first `count` positions with a role behind a key, in the order of their keys. */
export async function find(reading: Reading, query: AccessQuery, wanted: Wanted): Promise<Hit[]> {
  const start = await startBehind(reading, query.universe, wanted.after, wanted.order);
  const chunks = await chunksOf(reading, query.universe);
  const hits: Hit[] = [];
  const step = wanted.order === "asc" ? 1 : -1;
  let begun = performance.now();
  for (let index = start.chunk; hits.length < wanted.count; index += step) {
    const chunk = chunks[index];
    if (chunk === undefined) break;
    if (!query.has(chunk.number) || isKnownEmpty(query, chunk, wanted.rank)) continue;
    let place = index === start.chunk ? start.place : undefined;
    if (place !== undefined && isStretchable(query, chunk, wanted)) {
      const end = Math.min(SLOTS, place + Math.ceil(SPARE * wanted.count));
      const position = positionAt(chunk.number, place);
      const stretch = await readStretch(reading, query.sets, position, positionAt(chunk.number, end));
      if (stretch !== undefined) {
        const span = { from: place >>> 5, to: Math.ceil(end / 32) };
        collect(query, chunk, stretch.sets, [span], place, wanted, hits, stretch.rows);
        if (hits.length === wanted.count) break;
        place = end;
      }
    }
    const sets = await query.read(reading, chunk.number);
    collect(query, chunk, sets, spans(chunk, place, wanted), place, wanted, hits);
    if (performance.now() - begun < TURN) continue;
    await yieldToEventLoop();
    begun = performance.now();
  }
  return hits;
}

/** Whether a page begins with the next members in a row. When these do not fill it, containers go on. */
function isStretchable(
  { universe, beginsWithRows }: AccessQuery,
  { slots }: Chunk,
  { order, rank }: Wanted,
): boolean {
  if (universe !== MEMBERS || slots !== undefined || order === "desc" || rank !== undefined) return false;
  return beginsWithRows;
}

/** Whether an earlier page found nobody of that rank in a chunk. */
function isKnownEmpty({ counts }: AccessQuery, { number }: Chunk, rank: number | undefined): boolean {
  return rank !== undefined && counts.get(number)?.[rank] === 0;
}

function collect(
  query: AccessQuery,
  chunk: Chunk,
  sets: readonly (Words | undefined)[],
  parts: Iterable<Span>,
  place: number | undefined,
  wanted: Wanted,
  hits: Hit[],
  rows?: ReadonlyMap<number, MemberRow>,
): void {
  for (const span of parts) {
    const found = query.fold(sets, span);
    if (span === WHOLE_CHUNK && wanted.rank !== undefined) remember(query, chunk.number, found);
    for (const slot of inOrder(union(found, wanted.rank, span), chunk.slots, place, wanted.order)) {
      const rank = wanted.rank ?? found.findLastIndex((words) => words !== undefined && hasSlot(words, slot));
      const position = positionAt(chunk.number, slot);
      const row = rows?.get(position);
      hits.push({ position, slot, rank, sets, ...(row === undefined ? {} : { row }) });
      if (hits.length === wanted.count) return;
    }
  }
}

/**
 * The parts of a chunk that are folded one after the other, at first only as much as a page takes. Where a role is
 * looked for, the whole chunk is, to remember how many have it.
 */
function* spans(
  { slots }: Chunk,
  place: number | undefined,
  { count, order, rank }: Wanted,
): Generator<Span> {
  if (rank !== undefined || slots !== undefined || order === "desc") {
    yield WHOLE_CHUNK;
    return;
  }
  let size = Math.ceil(count / 32) + 1;
  for (let from = (place ?? 0) >>> 5; from < WORDS; size *= 2) {
    yield { from, to: Math.min(WORDS, from + size) };
    from += size;
  }
}

function remember(query: AccessQuery, chunk: number, found: Found): void {
  query.counts.set(
    chunk,
    Uint16Array.from(found, (words) => (words === undefined ? 0 : countSlots(words))),
  );
}

function union(found: Found, rank: number | undefined, { from, to }: Span): Words {
  if (rank !== undefined) return found[rank] ?? new Uint32Array(WORDS);
  const all = new Uint32Array(WORDS);
  for (const words of found) {
    if (words === undefined) continue;
    for (let index = from; index < to; index++) all[index] = (all[index] ?? 0) | (words[index] ?? 0);
  }
  return all;
}

/** The slots of a set in the order of their keys, from a place on. */
function* inOrder(
  words: Words,
  slots: Uint16Array | undefined,
  place: number | undefined,
  order: Order,
): Generator<number> {
  if (slots === undefined) {
    yield* order === "asc" ? slotsFrom(words, place) : slotsDownFrom(words, place);
    return;
  }
  const step = order === "asc" ? 1 : -1;
  const last = slots.length - 1;
  const first = order === "asc" ? (place ?? 0) : Math.min(place ?? last, last);
  for (let at = first; at >= 0 && at <= last; at += step) {
    const slot = slots[at] ?? 0;
    if (hasSlot(words, slot)) yield slot;
  }
}
