/**
 * Compares two accesses chunk by chunk. For example: a content with and without one of its sources, a content at two
 * revisions, or the spaces that two members can see. Of two revisions, only those are compared whose key has a slot at
 * the later one.
 */
import type { Decision } from "../../domain/ladder.ts";
import type { Direction, Effect } from "../../domain/difference.ts";
import { rank, type Role, roleOf } from "../../domain/role.ts";
import type { Codes } from "../../sets/painting.ts";
import { positionAt } from "../../sets/position.ts";
import { addSlot, countSlots, hasSlot, noSlots, slotsFrom, type Words } from "../../sets/words.ts";
import type { Alignment } from "../memory/alignment.ts";
import type { Chunk } from "../memory/chunk.ts";
import { universeIndex } from "../memory/universe.ts";
import type { Reading } from "../reading.ts";
import { inTurns } from "../turns.ts";
import { type Access, codesBySlot } from "./access.ts";
import { openChunk, type OpenChunk } from "./walk.ts";

/** The slots of a chunk whose role differs, by direction. */
export type Differing = Readonly<Record<Direction, Words>>;

export function noDifference(): Differing {
  return { lost: noSlots(), lowered: noSlots(), raised: noSlots(), gained: noSlots() };
}

/** The number of differing slots in each direction, by chunk. */
export type CountsByChunk = Map<number, Effect>;

/** One of the two compared accesses, and the reading that it uses. */
export interface AccessSide {
  readonly reading: Reading;
  readonly access: Access;
  /** The access with a filter. */
  readonly kept?: AccessWithFilter | undefined;
}

/** An access with a filter. With `role`, only slots with this role pass the filter. */
export interface AccessWithFilter {
  readonly access: Access;
  readonly role: Role | undefined;
}

/** A slot whose role differs. `before` or `after` is `undefined` if the slot has no role there. */
export interface DifferenceHit {
  readonly position: number;
  readonly before: DecidedRole | undefined;
  readonly after: DecidedRole | undefined;
}

interface DecidedRole {
  readonly role: Role;
  readonly decision: Decision | undefined;
}

/** Slots that have the same code before, and the same code after. */
export interface Alike {
  readonly before: DecidedRole | undefined;
  readonly after: DecidedRole | undefined;
  readonly slots: Words;
}

export interface ComparedChunk {
  readonly chunk: Chunk;
  readonly directions: Differing;
  hit(slot: number): DifferenceHit;
  /** Of these slots, those whose role differs. */
  differing(slots: Words): readonly Alike[];
  /** The slots that have the same role before and after. */
  same(): Words;
}

/** What is compared. */
interface ComparingOptions {
  /** Only of two revisions. */
  readonly alignment?: Alignment;
  /** Whether a chunk may have differences; by default, every chunk may. */
  readonly within?: ((chunk: number) => boolean) | undefined;
  /** The counts of chunks that were compared earlier. */
  readonly counts?: CountsByChunk;
  /** Whether chunks in which neither side has a role are compared, too. */
  readonly isWhole?: boolean;
}

/** The codes of a side in a chunk. */
interface Painted {
  readonly chunk: Chunk;
  readonly access: Access;
  readonly codes: Codes;
}

export class AccessDifference {
  readonly before: AccessSide;
  readonly after: AccessSide;
  readonly #options: ComparingOptions;
  readonly #counts: CountsByChunk;

  constructor(before: AccessSide, after: AccessSide, options: ComparingOptions = {}) {
    this.before = before;
    this.after = after;
    this.#options = options;
    this.#counts = options.counts ?? new Map();
  }

  /** The numbers of the chunks that may have differences, in key order. */
  async chunks(): Promise<readonly number[]> {
    const { reading, access } = this.after;
    const { chunks } = await universeIndex(reading, access.universe);
    return chunks.filter((chunk) => this.mayDiffer(chunk));
  }

  /** Whether a chunk may have differences. */
  mayDiffer(chunk: number): boolean {
    const { alignment, within, isWhole = false } = this.#options;
    if (within?.(chunk) === false) return false;
    const mayHave = ({ access, kept }: AccessSide, number: number) =>
      (kept?.access ?? access).mayHave(number, kept?.role && rank(kept.role));
    const others = alignment === undefined ? [chunk] : alignment.at(chunk).others;
    return isWhole || mayHave(this.after, chunk) || others.some((other) => mayHave(this.before, other));
  }

  /** This difference, restricted to slots that pass a filter on at least one side. A side without one never does. */
  narrowed(
    before: AccessWithFilter | undefined,
    after: AccessWithFilter | undefined,
    counts?: CountsByChunk,
  ): AccessDifference {
    const { within } = this.#options;
    return new AccessDifference(
      { ...this.before, kept: before },
      { ...this.after, kept: after },
      { within, ...(counts === undefined ? {} : { counts }) },
    );
  }

  /** Compares one chunk. */
  async at<Result>(chunk: number, use: (compared: ComparedChunk) => Result): Promise<Result> {
    const open = await opened(this.after, chunk);
    const passing = await this.#passing(chunk, open.chunk);
    const before = await this.#paintedBefore(this.before, chunk, open.chunk);
    const after = painted(this.after.access, open);
    const directions = differing(before, after, passing);
    if (!this.#counts.has(chunk)) this.#counts.set(chunk, countsIn(directions));
    return use({
      chunk: after.chunk,
      directions,
      hit: (slot) => ({
        position: positionAt(chunk, slot),
        before: heldAt(before, slot),
        after: heldAt(after, slot),
      }),
      differing: (slots) => alikeIn(before, after, slots),
      same: () => sameIn(before, after, passing),
    });
  }

  /** The slots of a chunk after that pass the filter of either side; `undefined` without a filter. */
  async #passing(number: number, to: Chunk): Promise<Words | undefined> {
    const { before, after } = this;
    if (before.kept === undefined && after.kept === undefined) return undefined;
    const passing = noSlots();
    for (const side of [before, after]) {
      if (side.kept === undefined) continue;
      const { access, role } = side.kept;
      const kept = { ...side, access };
      const { codes } =
        side === before ? await this.#paintedBefore(kept, number, to) : await copied(kept, number);
      const wanted = role && rank(role);
      for (const [slot, code] of codes.entries()) {
        const held = access.ranks[code] ?? 0;
        if (wanted === undefined ? held > 0 : held === wanted) addSlot(passing, slot);
      }
    }
    return passing;
  }

  /** The codes before, by the slots of a chunk after. */
  async #paintedBefore(side: AccessSide, number: number, to: Chunk): Promise<Painted> {
    const aligned = this.#options.alignment?.at(number);
    if (aligned === undefined) return copied(side, number);
    if (aligned.same) return copied(side, number, await this.#options.alignment?.earlier(to));
    const codes = new Uint32Array(to.bytes.length);
    for (const other of aligned.others) {
      const from = await copied(side, other);
      const slots = this.#options.alignment?.slotsIn(from.chunk, to) ?? [];
      for (let slot = 0; slot < slots.length; slot++) {
        const now = slots[slot] ?? -1;
        if (now >= 0) codes[now] = from.codes[slot] ?? 0;
      }
    }
    return { chunk: to, access: side.access, codes };
  }

  /** The number of differing slots in each direction, in all chunks. */
  async counts(): Promise<Effect> {
    let total: Effect = { lost: 0, lowered: 0, raised: 0, gained: 0 };
    for await (const chunk of inTurns(await this.chunks())) {
      if (!this.#counts.has(chunk)) await this.at(chunk, () => {});
      total = added(total, this.#counts.get(chunk));
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
    const { reading, access } = this.before;
    const hits: DifferenceHit[] = [];
    const index = await universeIndex(reading, access.universe);
    const first = after === undefined ? 0 : index.chunkWith(after);
    const passed = new Set(index.chunks.slice(0, first));
    for await (const number of inTurns(await this.chunks())) {
      if (passed.has(number) || skips(number)) continue;
      const { chunk } = await openChunk(reading, access, index, number);
      const from = after === undefined || number !== index.chunks[first] ? 0 : chunk.ordinalAfter(after);
      await this.at(number, (compared) => {
        const words = wanted(compared, number);
        for (let at = from; at < chunk.length && hits.length < count; at++) {
          const slot = chunk.slotAt(at);
          if (hasSlot(words, slot)) hits.push(compared.hit(slot));
        }
      });
      if (hits.length === count) break;
    }
    return hits;
  }
}

export function countsIn({ lost, lowered, raised, gained }: Differing): Effect {
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

async function opened({ reading, access }: AccessSide, number: number, chunk?: Chunk): Promise<OpenChunk> {
  return openChunk(reading, access, await universeIndex(reading, access.universe), number, chunk);
}

/** The codes of a chunk, until the next painting, which uses the memory again. */
function painted(access: Access, { chunk, apart }: OpenChunk): Painted {
  const painting = access.paint(chunk, { from: 0, to: chunk.bytes.length }, apart);
  return { chunk, access, codes: codesBySlot(painting, chunk) };
}

/** `chunk` is the chunk, if it is known. */
async function copied(side: AccessSide, number: number, chunk?: Chunk): Promise<Painted> {
  const open = await opened(side, number, chunk);
  const { codes, ...rest } = painted(side.access, open);
  return { ...rest, codes: codes.slice() };
}

function rankAt({ access, codes }: Painted, slot: number): number {
  return access.ranks[codes[slot] ?? 0] ?? 0;
}

function heldAt(side: Painted, slot: number): DecidedRole | undefined {
  const held = rankAt(side, slot);
  return held === 0
    ? undefined
    : { role: roleOf(held), decision: side.access.decisionOf(side.codes[slot] ?? 0) };
}

function differing(before: Painted, after: Painted, passing: Words | undefined): Differing {
  const found = noDifference();
  const slots = Math.max(before.codes.length, after.codes.length);
  for (let slot = 0; slot < slots; slot++) {
    const had = rankAt(before, slot);
    const has = rankAt(after, slot);
    if (had === has || (passing !== undefined && !hasSlot(passing, slot))) continue;
    if (has === 0) addSlot(found.lost, slot);
    else if (had === 0) addSlot(found.gained, slot);
    else addSlot(has < had ? found.lowered : found.raised, slot);
  }
  return found;
}

function alikeIn(before: Painted, after: Painted, among: Words): Alike[] {
  const found = new Map<number, Alike>();
  for (const slot of slotsFrom(among)) {
    if (rankAt(before, slot) === rankAt(after, slot)) continue;
    const codes = (before.codes[slot] ?? 0) * after.access.ranks.length + (after.codes[slot] ?? 0);
    let alike = found.get(codes);
    if (alike === undefined) {
      alike = { before: heldAt(before, slot), after: heldAt(after, slot), slots: noSlots() };
      found.set(codes, alike);
    }
    addSlot(alike.slots, slot);
  }
  return [...found.values()];
}

function sameIn(before: Painted, after: Painted, passing: Words | undefined): Words {
  const same = noSlots();
  for (const slot of before.codes.keys()) {
    const had = rankAt(before, slot);
    if (had === 0 || had !== rankAt(after, slot)) continue;
    if (passing === undefined || hasSlot(passing, slot)) addSlot(same, slot);
  }
  return same;
}
