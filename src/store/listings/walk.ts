/** Walks over an access: the next entries in the order of their keys. */
import { limit } from "../../sets/limit.ts";
import type { Order, Page, PageRequest } from "../../domain/page.ts";
import { rank, type Role } from "../../domain/role.ts";
import { slotsOf } from "../../sets/container.ts";
import { positionAt } from "../../sets/position.ts";
import { type Chunk, chunkInMemory, loadChunk } from "../memory/chunk.ts";
import { universeIndex, type UniverseIndex } from "../memory/universe.ts";
import type { Reading } from "../reading.ts";
import { CONTAINERS } from "../sets/containers.ts";
import { giveTurn } from "../turns.ts";
import type { Access, Apart } from "./access.ts";

/** An entry of a page. */
export interface Hit {
  readonly chunk: Chunk;
  readonly ordinal: number;
  readonly slot: number;
  readonly code: number;
  readonly subject: number;
}

export function positionOf({ chunk, slot }: Pick<Hit, "chunk" | "slot">): number {
  return positionAt(chunk.number, slot);
}

export interface WantedPage {
  readonly count: number;
  readonly order: Order;
  /** Only entries with this role; `undefined` for every role. */
  readonly role: Role | undefined;
}

/** A chunk, and the containers of an access that the chunk does not keep. */
export interface OpenChunk {
  readonly chunk: Chunk;
  readonly apart: Apart;
}

const NONE: Apart = new Map();

/** Loads what it takes to paint an access on a chunk of the index; not the chunk itself if it is `known`. */
export async function openChunk(
  reading: Reading,
  access: Access,
  index: UniverseIndex,
  number: number,
  known = chunkInMemory(reading, access.universe, number),
): Promise<OpenChunk> {
  const names = access.apartIn(number);
  if (known !== undefined && names.length === 0) return { chunk: known, apart: NONE };
  const [chunk, rows] = await Promise.all([
    known ?? loadChunk(reading, access.universe, index, number),
    names.length === 0 ? [] : reading.read(CONTAINERS, ...reading.asOf, access.universe, [number], names),
  ]);
  const apart = rows.flatMap(([, name, bits]) => (bits === null ? [] : [[name, slotsOf(bits)] as const]));
  return { chunk, apart: new Map(apart) };
}

/** The first entries of an access after a key, in the given order. */
export async function nextHits(
  reading: Reading,
  access: Access,
  after: string | undefined,
  { count, order, role }: WantedPage,
): Promise<Hit[]> {
  const wanted = role === undefined ? undefined : rank(role);
  const index = await universeIndex(reading, access.universe);
  const isUp = order === "asc";
  const step = isUp ? 1 : -1;
  const first = after === undefined ? (isUp ? 0 : index.chunks.length - 1) : index.chunkWith(after);
  const hits: Hit[] = [];
  // Where entries may be far apart, a few paintings of long parts take less time than many of short ones; not of
  // several contents, where each painting takes long.
  const isDense = access.subjects.length > 1 || access.isEverywhere(wanted);
  let size = (count + SPARE) * (isDense ? 1 : FAR_APART);
  for (let nth = first; nth >= 0 && nth < index.chunks.length; nth += step) {
    const number = index.chunks[nth] ?? 0;
    if (!access.mayHave(number, wanted)) continue;
    const open = await openChunk(reading, access, index, number);
    const begin = nth !== first || after === undefined ? undefined : after;
    size = take(access, open, begin, { count, order, rank: wanted, size }, hits);
    if (hits.length === count) return hits;
    await giveTurn();
  }
  return hits;
}

/** How many more slots than wanted entries are painted first, and how many times as many where entries may be far apart. */
const SPARE = limit("walk.spare", 16);
const FAR_APART = 4;

interface WantedHits extends Omit<WantedPage, "role"> {
  readonly rank: number | undefined;
  /** How many slots are painted first. */
  readonly size: number;
}

/** Adds the next hits in a chunk. Returns how many slots are to be painted next: twice as many as did not suffice. */
function take(
  access: Access,
  { chunk, apart }: OpenChunk,
  after: string | undefined,
  wanted: WantedHits,
  hits: Hit[],
): number {
  const { ranks } = access;
  const { count, order, rank: only } = wanted;
  let { size } = wanted;
  const isUp = order === "asc";
  const step = isUp ? 1 : -1;
  let ordinal = isUp
    ? after === undefined
      ? 0
      : chunk.ordinalAfter(after)
    : (after === undefined ? chunk.length : chunk.ordinalAfter(after, true)) - 1;
  const end = isUp ? chunk.length : -1;
  while (ordinal !== end) {
    const isWhole = chunk.order !== undefined;
    const stop = isWhole ? end : isUp ? Math.min(end, ordinal + size) : Math.max(end, ordinal - size);
    const part = isWhole
      ? { from: 0, to: chunk.bytes.length }
      : isUp
        ? { from: ordinal, to: stop }
        : { from: stop + 1, to: ordinal + 1 };
    const { codes, subjects, slots } = access.paint(chunk, part, apart);
    // `index` is that of the slot among the codes.
    const isFull = (at: number, slot: number, index: number): boolean => {
      const code = codes[index] ?? 0;
      const held = ranks[code] ?? 0;
      if (only === undefined ? held === 0 : held !== only) return false;
      return hits.push({ chunk, ordinal: at, slot, code, subject: subjects?.[index] ?? 0 }) === count;
    };
    if (slots === undefined) {
      for (; ordinal !== stop; ordinal += step) {
        const slot = chunk.slotAt(ordinal);
        if (isFull(ordinal, slot, slot)) return size;
      }
    } else {
      for (const [at, index] of chunk.inOrder(slots, order)) {
        if ((at - ordinal) * step >= 0 && isFull(at, slots[index] ?? 0, index)) return size;
      }
      ordinal = stop;
    }
    size *= 2;
  }
  return size;
}

/** A page of an access. Without `order`, ascending; with `role`, only entries with exactly this role. */
export interface PageWanted extends PageRequest<string> {
  readonly order?: Order;
  readonly role?: Role | undefined;
}

/** The entries of a page. */
export async function pageOfHits(
  reading: Reading,
  access: Access,
  { after, limit, order = "asc", role }: PageWanted,
): Promise<Page<Hit, string>> {
  const hits = await nextHits(reading, access, after, { count: limit + 1, order, role });
  const last = hits.length > limit ? hits[limit - 1] : undefined;
  const entries = hits.slice(0, limit);
  return last === undefined ? { entries } : { entries, next: last.chunk.keyAt(last.ordinal) };
}
