/** Access: who has which effective role, and why, painted chunk by chunk. */
import type { ContentKey } from "../../domain/content.ts";
import type { Decision } from "../../domain/ladder.ts";
import { rank, type Role } from "../../domain/role.ts";
import { limit } from "../../sets/limit.ts";
import { EMPTY, firstFrom, hasChunk, type Head } from "../../sets/head.ts";
import { blankCodes, type Codes, paintAll, paintWhere, type Part } from "../../sets/painting.ts";
import { positionAt, SLOTS } from "../../sets/position.ts";
import { isList, type Slots } from "../../sets/slots.ts";
import type { Words } from "../../sets/words.ts";
import type { Chunk } from "../memory/chunk.ts";
import { isKept } from "../memory/universe.ts";
import type { Universe } from "../schema/set-names.ts";

/** A set of members, or of spaces. */
export interface NamedSet {
  readonly name: string;
  readonly head: Head;
  /** Positions that count as not in the set. */
  readonly except?: ReadonlySet<number>;
}

/** The members of a set get a code. `set` is the index of the set. */
export interface Stroke {
  readonly set: number;
  readonly code: number;
}

/** What one content says: the code of everybody by the byte of their slot, then the codes of the members of sets. */
export interface Layer {
  /** The index of the layer that this one covers: that of the content above. */
  readonly above: number | undefined;
  /** How many layers are above it. */
  readonly depth: number;
  /** The code of everybody, by their byte. Only on the topmost content of a ladder, where the climb ends. */
  readonly base: Codes | undefined;
  /** Weakest first. */
  readonly strokes: readonly Stroke[];
  /**
   * The index in `subjects` of the content that the layer is of, if the access is on that content; {@link NO_SUBJECT}
   * for a content that is only an ancestor. 0 in an access of one layer.
   */
  readonly subject: number;
}

export const NO_SUBJECT = 2 ** 32 - 1;

/** The code of nobody. */
export const NOBODY = 0;

/** All that is painted. */
export interface Drawing {
  readonly universe: Universe;
  /** The rank of each code. */
  readonly ranks: readonly number[];
  /** Why a slot has each code. */
  readonly decisions: readonly (Decision | undefined)[];
  readonly sets: readonly NamedSet[];
  readonly layers: readonly Layer[];
  /** The contents whose lists these are. */
  readonly subjects: readonly ContentKey[];
  /** The organization admins, who are painted last. */
  readonly admins: Stroke | undefined;
}

/** A filter of an access. */
export interface Narrowing {
  /** The roles that count. */
  readonly roles?: readonly Role[];
  /** Whether a decision counts; codes without a decision always do. */
  readonly accepts?: (decision: Decision) => boolean;
  /** Only what is in all of these sets, and in none of those. */
  readonly within?: readonly NamedSet[];
  readonly without?: readonly NamedSet[];
}

/** Containers that the chunks in memory do not keep, by the name of the set. */
export type Apart = ReadonlyMap<string, Slots>;

/** The codes of the slots of a part of a chunk. The next painting uses the memory again. */
export interface Painting {
  readonly codes: Codes;
  /** The index of the content that gave each slot its code; `undefined` if there is one content. */
  readonly subjects: Codes | undefined;
  /**
   * The only slots that may have a role, ascending, if they are few: then there is one code for each of them.
   * `undefined` if there is one for each slot of the part.
   */
  readonly slots: Uint16Array | undefined;
}

/** Where the slots with a rank may be: in these sets. */
interface Reach {
  readonly isEverywhere: boolean;
  readonly heads: readonly Head[];
}

/** So many small sets are looked at one by one. More are merged, because most of them have nobody in a part. */
const FEW_SETS = limit("access.few-sets", 64);

/**
 * The slots of sets in a part of a chunk, as linked lists: `first` has the first entry of each set, `next` the entry
 * after each entry, `slots` the slot of each entry. Memory that all paintings share.
 */
class Entries {
  first = new Int32Array(64);
  #next = new Int32Array(SLOTS);
  #slots = new Uint16Array(SLOTS);
  count = 0;

  clear(sets: number): void {
    if (this.first.length < sets) this.first = new Int32Array(2 * sets);
    this.first.fill(-1, 0, sets);
    this.count = 0;
  }

  add(set: number, slot: number): void {
    if (this.count === this.#slots.length) this.#grow();
    this.#slots[this.count] = slot;
    this.#next[this.count] = this.first[set] ?? -1;
    this.first[set] = this.count++;
  }

  paint(codes: Codes, set: number, code: number): void {
    for (let at = this.first[set] ?? -1; at >= 0; at = this.#next[at] ?? -1)
      codes[this.#slots[at] ?? 0] = code;
  }

  /** Returns the slots of all entries, ascending, and puts their indexes in the place of the slots. */
  gather(): Uint16Array {
    const slots = this.#slots.slice(0, this.count).sort();
    let length = 0;
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at] ?? 0;
      if (length > 0 && slot === slots[length - 1]) continue;
      INDEXES[slot] = length;
      slots[length++] = slot;
    }
    for (let at = 0; at < this.count; at++) this.#slots[at] = INDEXES[this.#slots[at] ?? 0] ?? 0;
    return slots.subarray(0, length);
  }

  #grow(): void {
    const [next, slots] = [this.#next, this.#slots];
    this.#next = new Int32Array(2 * next.length);
    this.#next.set(next);
    this.#slots = new Uint16Array(2 * slots.length);
    this.#slots.set(slots);
  }
}

const ENTRIES = new Entries();
const BUFFERS: Codes[] = [];
const SUBJECTS = blankCodes();
/** The index of each slot, and the byte at each index, where only few slots are painted. */
const INDEXES = new Uint16Array(SLOTS);
const FEW_BYTES = new Uint8Array(SLOTS);
/** How many sets each slot is missing from that it must be in; {@link LEFT_OUT} for a slot that no filter may pass. */
const MASK = new Uint8Array(SLOTS);
const LEFT_OUT = 255;
/** Bits for all bytes of slots. */
const ANY_BYTE = -1;

function buffer(number: number): Codes {
  return (BUFFERS[number] ??= blankCodes());
}

/** The effective roles of all members on one content, or the highest on several; or of one member on all spaces. */
export class Access {
  readonly universe: Universe;
  /** The rank of each code; 0 for codes that a filter leaves out. */
  readonly ranks: readonly number[];
  /** The contents whose lists these are. */
  readonly subjects: readonly ContentKey[];
  readonly #drawing: Drawing;
  readonly #narrowing: Narrowing;
  readonly #sets: readonly NamedSet[];
  readonly #layers: readonly Layer[];
  readonly #within: readonly NamedSet[];
  readonly #without: readonly NamedSet[];
  /**
   * The positions of all small sets that chunks do not keep, ascending, and the set of each: most of these sets have
   * nobody in a part, and looking at each would take longer than all else.
   */
  readonly #positions: Uint32Array;
  readonly #setsOfPositions: Uint32Array;
  /** The indexes of the other sets. */
  readonly #others: readonly number[];
  /** The large sets that chunks do not keep. */
  readonly #apart: readonly NamedSet[];
  readonly #reaches = new Map<number | undefined, Reach>();
  readonly #silent: Uint8Array;
  readonly #subjectOf: Uint32Array;

  constructor(drawing: Drawing, narrowing: Narrowing = {}) {
    const { roles, accepts, within = [], without = [] } = narrowing;
    const { universe, sets, layers, subjects, ranks, decisions } = drawing;
    this.universe = universe;
    this.subjects = subjects;
    this.#drawing = drawing;
    this.#narrowing = narrowing;
    this.#sets = sets;
    this.#layers = layers;
    this.#within = within;
    this.#without = without;
    const counted = roles && new Set(roles.map(rank));
    const isCounted = (own: number, code: number) => {
      const decision = decisions[code];
      if (counted?.has(own) === false) return false;
      return decision === undefined || accepts === undefined || accepts(decision);
    };
    const isWhole = roles === undefined && accepts === undefined;
    this.ranks = isWhole ? ranks : ranks.map((own, code) => (isCounted(own, code) ? own : 0));
    this.#silent = new Uint8Array(layers.length);
    this.#subjectOf = new Uint32Array(layers.length);
    const isSmall = ({ name, head }: NamedSet) => "positions" in head && !isKept(universe, name);
    const isMerged = sets.filter(isSmall).length > FEW_SETS;
    const others: number[] = [];
    const small: number[] = [];
    for (const [index, set] of sets.entries()) {
      if (!isMerged || !isSmall(set)) others.push(index);
      else for (const each of positionsOf(set)) small.push(each * SETS + index);
    }
    this.#others = others;
    this.#apart = [...sets, ...within, ...without].filter(
      ({ name, head }) => "chunks" in head && !isKept(universe, name),
    );
    // One list for all: sorting numbers takes less time than merging lists.
    const sorted = Float64Array.from(small).sort();
    this.#positions = Uint32Array.from(sorted, (each) => Math.floor(each / SETS));
    this.#setsOfPositions = Uint32Array.from(sorted, (each) => each % SETS);
  }

  /** The entries of this access that pass one more filter. */
  narrowed(more: Narrowing): Access {
    const { roles, accepts, within = [], without = [] } = this.#narrowing;
    const { accepts: acceptsMore } = more;
    const both =
      roles === undefined ? more.roles : (more.roles ?? roles).filter((role) => roles.includes(role));
    const isAccepted = (decision: Decision) =>
      accepts?.(decision) !== false && acceptsMore?.(decision) !== false;
    const isFree = accepts === undefined && acceptsMore === undefined;
    return new Access(this.#drawing, {
      ...(both === undefined ? {} : { roles: both }),
      ...(isFree ? {} : { accepts: isAccepted }),
      within: [...within, ...(more.within ?? [])],
      without: [...without, ...(more.without ?? [])],
    });
  }

  /** The approximate size in memory, without heads that the universe keeps. */
  get size(): number {
    return (
      1000 +
      60 * this.ranks.length +
      300 * this.#layers.length +
      150 * this.#sets.length +
      8 * this.#positions.length
    );
  }

  /** Whether anybody in a chunk may have a rank, or any role if `wanted` is absent. */
  mayHave(chunk: number, wanted?: number): boolean {
    if (!this.#within.every(({ head }) => hasChunk(head, chunk))) return false;
    const { isEverywhere, heads } = this.#reachOf(wanted);
    return isEverywhere || heads.some((head) => hasChunk(head, chunk));
  }

  #reachOf(wanted: number | undefined): Reach {
    const known = this.#reaches.get(wanted);
    if (known !== undefined) return known;
    const gives = (code: number) => {
      const held = this.ranks[code] ?? 0;
      return wanted === undefined ? held > 0 : held === wanted;
    };
    const isEverywhere = this.#layers.some(({ base }) =>
      base?.some((code) => code !== NOBODY && gives(code)),
    );
    const heads = isEverywhere ? [] : this.#setsGiving(gives).map(({ head }) => head);
    const made: Reach = { isEverywhere, heads: heads.length > FEW_SETS ? merged(heads) : heads };
    this.#reaches.set(wanted, made);
    return made;
  }

  #setsGiving(gives: (code: number) => boolean): NamedSet[] {
    const { admins } = this.#drawing;
    const strokes = [...this.#layers.flatMap((layer) => layer.strokes), ...(admins ? [admins] : [])];
    const giving = new Set(strokes.filter(({ code }) => gives(code)).map(({ set }) => set));
    return [...giving].flatMap((index) => this.#sets[index] ?? []);
  }

  /** The sets with slots in a chunk whose containers the chunk does not keep. */
  apartIn(chunk: number): readonly string[] {
    if (this.#apart.length === 0) return NO_NAMES;
    return this.#apart.filter(({ head }) => hasChunk(head, chunk)).map(({ name }) => name);
  }

  /** Whether every slot may have a rank, or any role if `wanted` is absent, and not only members of sets. */
  isEverywhere(wanted?: number): boolean {
    return this.#reachOf(wanted).isEverywhere;
  }

  paint(chunk: Chunk, part: Part, apart: Apart): Painting {
    const isCut = this.#within.length > 0 || this.#without.length > 0;
    const present = isCut ? this.#mask(chunk, part, apart) : ANY_BYTE;
    this.#enter(chunk, part, apart, isCut);
    // Where few slots may have a role, only these are painted, as if they were all that there are.
    const isSparse = !this.isEverywhere() && 4 * ENTRIES.count < part.to - part.from;
    if (!isSparse) return this.#paintAll(part, chunk.bytes, present, isCut);
    const slots = ENTRIES.gather();
    for (let at = 0; at < slots.length; at++) FEW_BYTES[at] = chunk.bytes[slots[at] ?? 0] ?? 0;
    return { ...this.#paintAll({ from: 0, to: slots.length }, FEW_BYTES, present, false), slots };
  }

  #paintAll(part: Part, bytes: Uint8Array, present: number, isCut: boolean): Painting {
    const { admins } = this.#drawing;
    const isSingle = this.subjects.length < 2;
    const best = buffer(0);
    best.fill(NOBODY, part.from, part.to);
    if (!isSingle) SUBJECTS.fill(NO_SUBJECT, part.from, part.to);
    this.#silence(present);
    let codes = best;
    for (const [index, { above, depth, base, strokes }] of this.#layers.entries()) {
      if (this.#silent[index] === 1) continue;
      const painted = buffer(depth + 1);
      if (base !== undefined) paintAll(painted, part, bytes, base);
      else {
        let covered = above;
        while (covered !== undefined && this.#silent[covered] === 1) covered = this.#layers[covered]?.above;
        if (covered === undefined) painted.fill(NOBODY, part.from, part.to);
        else {
          const below = buffer((this.#layers[covered]?.depth ?? 0) + 1);
          painted.set(below.subarray(part.from, part.to), part.from);
        }
      }
      for (let at = 0; at < strokes.length; at++) {
        const stroke = strokes[at];
        if (stroke !== undefined) ENTRIES.paint(painted, stroke.set, stroke.code);
      }
      const subject = this.#subjectOf[index] ?? NO_SUBJECT;
      if (subject === NO_SUBJECT) continue;
      if (isSingle) codes = painted;
      else keepHighest(this.#drawing.ranks, painted, best, part, subject);
    }
    if (admins !== undefined) {
      paintWhere(codes, part, bytes, ADMIN, admins.code);
      if (!isSingle) paintWhere(SUBJECTS, part, bytes, ADMIN, 0);
    }
    if (isCut) this.#cut(codes, part);
    return { codes, subjects: isSingle ? undefined : SUBJECTS, slots: undefined };
  }

  /** Finds the slots that pass the filter. Returns the bytes that they have, as bits. */
  #mask(chunk: Chunk, part: Part, apart: Apart): number {
    MASK.fill(this.#within.length, part.from, part.to);
    for (const set of this.#within)
      eachSlot(set, chunk, part, apart, (slot) => (MASK[slot] = (MASK[slot] ?? 0) - 1));
    for (const set of this.#without) eachSlot(set, chunk, part, apart, (slot) => (MASK[slot] = LEFT_OUT));
    let present = 0;
    for (let slot = part.from; slot < part.to; slot++) {
      if (MASK[slot] === 0) present |= 1 << (chunk.bytes[slot] ?? 0);
    }
    return present;
  }

  /** Enters the slots of all sets; with `isCut`, only those that pass the filter. */
  #enter(chunk: Chunk, part: Part, apart: Apart, isCut: boolean): void {
    const { from, to } = part;
    ENTRIES.clear(this.#sets.length);
    const first = positionAt(chunk.number, 0);
    const positions = this.#positions;
    for (let at = firstFrom(positions, first + from); at < positions.length; at++) {
      const slot = (positions[at] ?? 0) - first;
      if (slot >= to) break;
      if (!isCut || MASK[slot] === 0) ENTRIES.add(this.#setsOfPositions[at] ?? 0, slot);
    }
    for (let at = 0; at < this.#others.length; at++) {
      const set = this.#others[at] ?? 0;
      eachSlot(this.#sets[set] ?? NO_SET, chunk, part, apart, (slot) => {
        if (!isCut || MASK[slot] === 0) ENTRIES.add(set, slot);
      });
    }
  }

  /**
   * Finds the layers that say nothing about the slots that were entered, nor to the bytes that are present: what they
   * end, the layer above ends. Of several such layers, the first content counts.
   */
  #silence(present: number): void {
    const { first } = ENTRIES;
    for (const [index, { subject }] of this.#layers.entries()) this.#subjectOf[index] = subject;
    for (let index = this.#layers.length - 1; index >= 0; index--) {
      const layer = this.#layers[index];
      if (layer === undefined) continue;
      const { base, above, strokes } = layer;
      const isSilent =
        base?.some((code, byte) => code !== NOBODY && (present & (1 << byte)) !== 0) !== true &&
        !strokes.some(({ set }) => (first[set] ?? -1) >= 0);
      this.#silent[index] = isSilent ? 1 : 0;
      if (!isSilent || above === undefined) continue;
      const subject = this.#subjectOf[index] ?? NO_SUBJECT;
      if (subject < (this.#subjectOf[above] ?? NO_SUBJECT)) this.#subjectOf[above] = subject;
    }
  }

  /** Takes the codes from slots that the filter leaves out. */
  #cut(codes: Codes, { from, to }: Part): void {
    for (let slot = from; slot < to; slot++) if (MASK[slot] !== 0) codes[slot] = NOBODY;
  }

  /** Why a slot has a code. */
  decisionOf(code: number): Decision | undefined {
    return this.#drawing.decisions[code];
  }
}

const ADMIN = rank("admin");
const NO_SET: NamedSet = { name: "", head: EMPTY };
const NO_POSITIONS = new Uint32Array();
const NO_NAMES: readonly string[] = [];

/** More than the sets that one access paints. */
const SETS = 2 ** 21;

function positionsOf({ head, except }: NamedSet = NO_SET): Uint32Array {
  if (!("positions" in head)) return NO_POSITIONS;
  return except === undefined ? head.positions : head.positions.filter((each) => !except.has(each));
}

/** The large sets of many, and all small ones as one. */
function merged(heads: readonly Head[]): Head[] {
  const small = heads.flatMap((head) => ("positions" in head ? [...head.positions] : []));
  return [{ positions: Uint32Array.from(small).sort() }, ...heads.filter((head) => "chunks" in head)];
}

/** Calls `use` for each slot of a set in a part of a chunk. */
function eachSlot(
  { name, head, except }: NamedSet,
  chunk: Chunk,
  { from, to }: Part,
  apart: Apart,
  use: (slot: number) => void,
): void {
  const first = positionAt(chunk.number, 0);
  const isIn = (slot: number) => except?.has(first + slot) !== true;
  if ("positions" in head) {
    for (let at = firstFrom(head.positions, first + from); at < head.positions.length; at++) {
      const slot = (head.positions[at] ?? 0) - first;
      if (slot >= to) return;
      if (isIn(slot)) use(slot);
    }
    return;
  }
  const slots = apart.get(name) ?? chunk.slotsOf(name);
  if (slots === undefined) return;
  if (!isList(slots)) eachBit(slots, from, to, (slot) => isIn(slot) && use(slot));
  else {
    for (let at = firstFrom(slots, from); at < slots.length; at++) {
      const slot = slots[at] ?? 0;
      if (slot >= to) return;
      if (isIn(slot)) use(slot);
    }
  }
}

function eachBit(words: Words, from: number, to: number, use: (slot: number) => void): void {
  for (let index = from >>> 5; index < words.length && index << 5 < to; index++) {
    for (let word = words[index] ?? 0; word !== 0; word &= word - 1) {
      const slot = (index << 5) + 31 - Math.clz32(word & -word);
      if (slot >= from && slot < to) use(slot);
    }
  }
}

/** Keeps the code with the higher rank for each slot; of equal ranks, the one of the first content. */
function keepHighest(
  ranks: readonly number[],
  codes: Codes,
  best: Codes,
  { from, to }: Part,
  subject: number,
): void {
  for (let slot = from; slot < to; slot++) {
    const code = codes[slot] ?? NOBODY;
    if (code === NOBODY) continue;
    const own = ranks[code] ?? 0;
    const held = ranks[best[slot] ?? NOBODY] ?? 0;
    if (own > held || (own === held && subject < (SUBJECTS[slot] ?? 0))) {
      best[slot] = code;
      SUBJECTS[slot] = subject;
    }
  }
}
