/** Lists of the next model from those of a model: what lies between two changes is copied as a whole. */
import type { RecordChange } from "../domain/record-change.ts";
import { ENTRIES_A_TURN, type Lists, packed, PERMISSION, weakestFirst } from "./lists.ts";
import { ABSENT, type Numbering } from "./numbering.ts";
import { type Place, type Places, unfit } from "./places.ts";

/** A change of what a list says about something. */
export interface Relation {
  readonly change: RecordChange;
  readonly list: Place;
  readonly about: Place;
  /** What the entry packs, before and after; `undefined` without an entry. */
  readonly was: number | undefined;
  readonly becomes: number | undefined;
}

/** The other side of relations; it packs nothing beside the number unless `keep` is true. */
export function turned(relations: readonly Relation[], keep: boolean): Relation[] {
  const value = (packed: number | undefined) => (packed === undefined || keep ? packed : 0);
  return relations.flatMap(({ change, list, about, was, becomes }) =>
    keep || was === undefined || becomes === undefined
      ? [{ change, list: about, about: list, was: value(was), becomes: value(becomes) }]
      : [],
  );
}

/** What entries pack, and their order. */
export interface Packing {
  readonly bits: number;
  /** Whether an entry is before those about `about` with `value`. */
  readonly isBefore: (entry: number, about: Place, value: number) => boolean;
  /** The order of entries that come to one place. */
  readonly order: (a: number, b: number) => number;
}

export function ascending(bits: number): Packing {
  return { bits, isBefore: (entry, { was }) => entry >>> bits < was, order: (a, b) => a - b };
}

/** The teams of a content. */
export const WEAKEST_FIRST: Packing = {
  bits: PERMISSION,
  isBefore: (entry, { was, isNew }, value) => {
    const stronger = (entry & ((1 << PERMISSION) - 1)) - value;
    const team = entry >>> PERMISSION;
    return stronger < 0 || (stronger === 0 && (team > was || (isNew && team === was)));
  },
  order: weakestFirst,
};

/** The lists with changed relations, under the next numbers of the lists and of what they are about. */
export function* patched(
  lists: Lists,
  relations: readonly Relation[],
  { numbering: rows }: Places,
  { numbering: columns }: Places,
  packing: Packing,
): Generator<void, Lists> {
  if (relations.length === 0 && rows.now === undefined && columns.now === undefined) return lists;
  const edits = yield* editsOf(lists, relations, packing);
  return yield* edited(lists, edits, rows, columns, packing.bits);
}

/** An entry that comes or goes. */
interface Edit {
  /** The list in the next model. */
  readonly list: number;
  /** Where in the entries of the model before; 0 for a new list. */
  readonly at: number;
  /** What comes in front of the entry there; `undefined` if that one goes. */
  readonly entry: number | undefined;
}

/** How many relations are looked up until others get a turn. */
const RELATIONS_A_TURN = 2000;

function* editsOf(
  lists: Lists,
  relations: readonly Relation[],
  { bits, isBefore, order }: Packing,
): Generator<void, Edit[]> {
  const edits: Edit[] = [];
  for (const [done, { change, list, about, was, becomes }] of relations.entries()) {
    if (done % RELATIONS_A_TURN === RELATIONS_A_TURN - 1) yield;
    // A list that goes takes its entries along.
    if (list.now === ABSENT) continue;
    const end = list.isNew ? 0 : (lists.at[list.was + 1] ?? 0);
    const find = (value: number): number => {
      let [low, high] = [list.isNew ? 0 : (lists.at[list.was] ?? 0), end];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (isBefore(lists.entries[middle] ?? 0, about, value)) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    if (was !== undefined) {
      const at = find(was);
      if (about.isNew || at === end || lists.entries[at] !== packed(about.was, bits, was))
        throw unfit(change, "it does not have what was there");
      edits.push({ list: list.now, at, entry: undefined });
    }
    if (becomes === undefined) continue;
    const at = find(becomes);
    const isThere = !about.isNew && at < end && (lists.entries[at] ?? 0) >>> bits === about.was;
    if (isThere && was === undefined) throw unfit(change, "it has that already");
    if (about.now === ABSENT) throw unfit(change, "it names what goes");
    edits.push({ list: list.now, at, entry: packed(about.now, bits, becomes) });
  }
  return edits.sort((a, b) => a.list - b.list || a.at - b.at || inOnePlace(a, b, order));
}

function inOnePlace(a: Edit, b: Edit, order: Packing["order"]): number {
  if (a.entry === undefined || b.entry === undefined)
    return Number(a.entry === undefined) - Number(b.entry === undefined);
  return order(a.entry, b.entry);
}

/** A copy with edits, which are sorted by list and place. */
function* edited(
  { at, entries }: Lists,
  edits: readonly Edit[],
  { count, stretches }: Numbering,
  { now: numbers }: Numbering,
  bits: number,
): Generator<void, Lists> {
  let length = 0;
  for (const { was, length: many } of stretches) length += (at[was + many] ?? 0) - (at[was] ?? 0);
  for (const { entry } of edits) length += entry === undefined ? -1 : 1;
  const next = { at: new Uint32Array(count + 1), entries: new Uint32Array(length) };
  // The next list to begin, the edits that are done, and the entries that are read and written.
  let [list, done, from, to] = [0, 0, 0, 0];
  let turn = ENTRIES_A_TURN;

  function* copyUpTo(end: number): Generator<void> {
    while (from < end) {
      const edge = Math.min(end, from + ENTRIES_A_TURN);
      if (numbers === undefined) next.entries.set(entries.subarray(from, edge), to);
      else copyMoved(entries.subarray(from, edge), next.entries, to, numbers, bits);
      to += edge - from;
      from = edge;
      if (to < turn) continue;
      turn = to + ENTRIES_A_TURN;
      yield;
    }
  }
  function beginUpTo(end: number, moved: number | undefined): void {
    for (; list < end; list++) next.at[list] = moved === undefined ? to : (at[list + moved] ?? 0) - from + to;
  }
  /** `moved` is the number in the model less the next one; `undefined` for new lists. */
  function* editUpTo(end: number, moved: number | undefined): Generator<void> {
    for (let edit = edits[done]; edit !== undefined && edit.list < end; edit = edits[++done]) {
      beginUpTo(edit.list + 1, moved);
      yield* copyUpTo(edit.at);
      if (edit.entry === undefined) from++;
      else next.entries[to++] = edit.entry;
    }
    beginUpTo(end, moved);
  }

  for (const { was, now, length: many } of stretches) {
    yield* editUpTo(now, undefined);
    from = at[was] ?? 0;
    yield* editUpTo(now + many, was - now);
    yield* copyUpTo(at[was + many] ?? 0);
  }
  yield* editUpTo(count, undefined);
  next.at[count] = to;
  return next;
}

function copyMoved(
  source: Uint32Array,
  into: Uint32Array,
  to: number,
  numbers: Int32Array,
  bits: number,
): void {
  const mask = (1 << bits) - 1;
  let signs = 0;
  for (let i = 0; i < source.length; i++) {
    const entry = source[i] ?? 0;
    const number = numbers[entry >>> bits] ?? ABSENT;
    signs |= number;
    into[to + i] = (number << bits) | (entry & mask);
  }
  if (signs < 0) throw new Error("The changes do not fit the model: a list names what goes.");
}
