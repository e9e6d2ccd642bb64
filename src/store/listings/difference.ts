/**
 * Compares two accesses chunk by chunk. For example: a content with and without one of its sources, a content at two
 * revisions of a generation, or the spaces that two members can see. Skips chunks that exist at only one of the two
 * revisions.
 */
import type { Decision } from "../../domain/ladder.ts";
import type { Direction, Effect } from "../../domain/difference.ts";
import { rank, type Role, roleOf } from "../../domain/role.ts";
import { type Differing, noDifference } from "../../sets/fold.ts";
import type { Codes } from "../../sets/painting.ts";
import { positionAt } from "../../sets/position.ts";
import { addSlot, countSlots, hasSlot, noSlots, type Words } from "../../sets/words.ts";
import { universeIndex } from "../memory/universe.ts";
import type { Reading } from "../reading.ts";
import { inTurns } from "../turns.ts";
import { type Access, codesBySlot } from "./access.ts";
import { openChunk } from "./walk.ts";

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

export interface ComparedChunk {
  readonly directions: Differing;
  hit(slot: number): DifferenceHit;
  /** The slots that have the same role before and after. */
  same(): Words;
}

/** What is compared. */
interface ComparingOptions {
  /** Whether a chunk may have differences; by default, every chunk may. */
  readonly within?: ((chunk: number) => boolean) | undefined;
  /** The counts of chunks that were compared earlier. */
  readonly counts?: CountsByChunk;
  /** Whether chunks in which neither side has a role are compared, too. */
  readonly isWhole?: boolean;
}

/** The codes of a side in a chunk. */
interface Painted {
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
    const sides = [this.before, this.after];
    const [had, has] = await Promise.all(
      sides.map(({ reading, access }) => universeIndex(reading, access.universe)),
    );
    const others = new Set(has?.chunks);
    return (had?.chunks ?? []).filter((chunk) => others.has(chunk) && this.mayDiffer(chunk));
  }

  /** Whether a chunk that exists on both sides may have differences. */
  mayDiffer(chunk: number): boolean {
    const { within, isWhole = false } = this.#options;
    if (within?.(chunk) === false) return false;
    return (
      isWhole ||
      [this.before, this.after].some(({ access, kept }) =>
        (kept?.access ?? access).mayHave(chunk, kept?.role && rank(kept.role)),
      )
    );
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
    const [before, after] = await Promise.all([painted(this.before, chunk), painted(this.after, chunk)]);
    const passing = await passingIn([this.before, this.after], chunk);
    const directions = differing(before, after, passing);
    if (!this.#counts.has(chunk)) this.#counts.set(chunk, countsIn(directions));
    return use({
      directions,
      hit: (slot) => ({
        position: positionAt(chunk, slot),
        before: heldAt(before, slot),
        after: heldAt(after, slot),
      }),
      same: () => sameIn(before, after, passing),
    });
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
      const from = after === undefined || number !== index.chunks[first] ? 0 : chunk.placeAfter(after);
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

async function painted({ reading, access }: AccessSide, number: number): Promise<Painted> {
  const index = await universeIndex(reading, access.universe);
  const { chunk, apart } = await openChunk(reading, access, index, number);
  const to = chunk.bytes.length;
  // A copy, because the next painting uses the memory again.
  return { access, codes: codesBySlot(access.paint(chunk, { from: 0, to }, apart), chunk) };
}

/** The slots that pass the filter of either side; `undefined` without a filter. */
async function passingIn(sides: readonly AccessSide[], number: number): Promise<Words | undefined> {
  if (sides.every(({ kept }) => kept === undefined)) return undefined;
  const passing = noSlots();
  for (const { reading, kept } of sides) {
    if (kept === undefined) continue;
    const { access, codes } = await painted({ reading, access: kept.access }, number);
    const wanted = kept.role && rank(kept.role);
    for (const [slot, code] of codes.entries()) {
      const held = access.ranks[code] ?? 0;
      if (wanted === undefined ? held > 0 : held === wanted) addSlot(passing, slot);
    }
  }
  return passing;
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

function sameIn(before: Painted, after: Painted, passing: Words | undefined): Words {
  const same = noSlots();
  for (const slot of before.codes.keys()) {
    const had = rankAt(before, slot);
    if (had === 0 || had !== rankAt(after, slot)) continue;
    if (passing === undefined || hasSlot(passing, slot)) addSlot(same, slot);
  }
  return same;
}
