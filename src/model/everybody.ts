/**
 * Everybody's role on many contents: one walk over the contents, depth first, for windows of members. A sheet has one
 * byte for each member of the window; what a content paints on it is undone behind what inherits from it.
 */
import { lowerBound, PERMISSION } from "./lists.ts";
import { ADMIN, INHERIT, keptLast, type Model, NOTHING } from "./model.ts";
import type { Manner } from "./differences.ts";
import { BY_ORGANIZATION, ROLE } from "./code.ts";
import { accessOn, sayingOf } from "./paint.ts";
import { askedBy, levelAmong, sitesIn } from "./sites.ts";

/** The byte of an organization admin, which no permission covers. The bytes of others are ranks. */
const OF_ADMIN = ADMIN | BY_ORGANIZATION;

/** A content in a window of members. */
export interface Place {
  readonly content: number;
  /** How many of the walk's contents are around it. What it inherits is what the one around it has. */
  readonly depth: number;
  /**
   * What everybody has, by a number that is the same for the same bytes, if the content does not inherit from the one
   * around it; else `undefined`.
   */
  readonly base: { readonly number: number; readonly sheet: Uint8Array } | undefined;
  /**
   * A byte for each member of the window: the rank of the role, or more than that for an organization admin. What the
   * content's sites say is painted.
   */
  readonly sheet: Uint8Array;
}

/** What the permissions on a content, and the sites that it asks, change: one byte after the other, and the same one again where several give. */
export interface Strokes {
  readonly begin: number;
  readonly end: number;
  /** The index in the sheet. */
  readonly places: Uint32Array;
  readonly was: Uint8Array;
  readonly became: Uint8Array;
}

/** The members from `from` up to `to`. */
export interface Window {
  readonly from: number;
  readonly to: number;
  /** The part of the members of each team that is in the window: where it begins and ends in the list of entries. */
  readonly begins: Uint32Array;
  readonly ends: Uint32Array;
}

export interface Visitor {
  begin(window: Window): void;
  /** A content, before its permissions are painted. If it returns false, they are not painted. */
  arrive(place: Place): boolean;
  /** The same content with its permissions. */
  leave?(place: Place, strokes: Strokes): void;
}

const USUAL: Manner = { window: 1 << 16, copied: 12_000 };
/** How much is painted until others get a turn: some milliseconds. */
const WORK_A_TURN = 1_000_000;
/** What a content costs beside its entries. */
const CONTENT = 100;
const CONTENTS_A_TURN = 20_000;

/** The contents that `wanted` marks, and those from which they inherit, ascending. */
export function* withInherited(model: Model, wanted: Uint8Array): Generator<void, Uint32Array> {
  const { count } = model.contents;
  const needed = new Uint8Array(count);
  let length = 0;
  for (let x = 0; x < count; x++) {
    if (x % CONTENTS_A_TURN === CONTENTS_A_TURN - 1) yield;
    if (wanted[x] !== 1) continue;
    for (const level of accessOn(model, x).levels) {
      if (needed[level] === 1) break;
      needed[level] = 1;
      length++;
    }
  }
  const found = new Uint32Array(length);
  for (let x = 0, at = 0; x < count; x++) if (needed[x] === 1) found[at++] = x;
  return found;
}

/**
 * Visits `contents`, which must be as {@link withInherited} returns them, for one window after the other. `progress`
 * receives how many contents would be done by now if all members were looked at together.
 */
export function* everybodyOn(
  model: Model,
  contents: Uint32Array,
  visitor: Visitor,
  progress: (contents: number) => void = () => {},
  { window, copied } = USUAL,
): Generator<void> {
  const { count } = model.members;
  const walk = new Walk(model, contents, visitor, copied);
  for (let from = 0; from < count; from += window) {
    const to = Math.min(count, from + window);
    yield* walk.over(from, to);
    progress(Math.floor((contents.length * to) / count));
  }
}

/** What a set of sites says to the members of a window. */
interface Saying {
  /** Where some site has a default level: the rank of everybody. */
  readonly base: Uint8Array | undefined;
  /** Else those to whom the sites say something, and the ranks. */
  readonly places: readonly number[];
  readonly ranks: readonly number[];
}

/** The number of the {@link Place.base} that a set of sites gives is this and the number of the set. */
const SETS = INHERIT + 1;
/** Of how many sets it is kept what they say, the last used ones. */
const KEPT_SAYINGS = 64;

/** A content on the way down. */
interface Frame {
  readonly end: number;
  readonly sheet: Uint8Array;
  /** Where the strokes begin that are undone behind it. */
  readonly undo: number;
}

class Walk {
  readonly #model: Model;
  readonly #contents: Uint32Array;
  readonly #visitor: Visitor;
  readonly #copied: number;
  #from = 0;
  #to = 0;
  readonly #begins: Uint32Array;
  readonly #ends: Uint32Array;
  /** What everybody has, by base. */
  #bases: (Uint8Array | undefined)[] = [];
  #sayings = new Map<number, Saying>();
  readonly #sheets: Uint8Array[] = [];
  #places = new Uint32Array(1 << 16);
  #was = new Uint8Array(1 << 16);
  #became = new Uint8Array(1 << 16);
  #strokes = 0;
  #work = 0;

  constructor(model: Model, contents: Uint32Array, visitor: Visitor, copied: number) {
    this.#model = model;
    this.#contents = contents;
    this.#visitor = visitor;
    this.#copied = copied;
    this.#begins = model.teams.members.at.slice(0, -1);
    this.#ends = model.teams.members.at.slice(0, -1);
  }

  *over(from: number, to: number): Generator<void> {
    this.#open(from, to);
    const { parents, ends, levels } = this.#model.contents;
    const stack: Frame[] = [];
    for (const x of this.#contents) {
      for (let top = stack.at(-1); top !== undefined && x >= top.end; top = stack.at(-1)) {
        stack.pop();
        this.#undo(top);
      }
      if (this.#work > WORK_A_TURN) {
        this.#work = 0;
        yield;
      }
      const level = levels[x] ?? INHERIT;
      const set = askedBy(this.#model, x);
      const saying = set < 0 ? undefined : keptLast(this.#sayings, set, KEPT_SAYINGS, () => this.#hear(set));
      const isEnd = level !== INHERIT || saying?.base !== undefined || (parents[x] ?? -1) < 0;
      const above = isEnd ? undefined : stack.at(-1);
      const isCopied = above === undefined || this.#entriesOn(x) > this.#copied;
      const inherited = above?.sheet ?? saying?.base ?? this.#base(level);
      const sheet = isCopied ? this.#copy(stack.length, inherited) : inherited;
      const number = saying?.base === undefined ? level : SETS + set;
      const base = above === undefined ? { number, sheet: inherited } : undefined;
      const place = { content: x, depth: stack.length, base, sheet };
      const undo = this.#strokes;
      this.#work += CONTENT;
      if (saying !== undefined) this.#paintSaid(sheet, saying);
      if (this.#visitor.arrive(place)) this.#paint(x, sheet);
      this.#visitor.leave?.(place, {
        begin: undo,
        end: this.#strokes,
        places: this.#places,
        was: this.#was,
        became: this.#became,
      });
      // A sheet of its own is thrown away.
      if (isCopied) this.#strokes = undo;
      stack.push({ end: ends[x] ?? x + 1, sheet, undo });
    }
    for (const frame of stack.toReversed()) this.#undo(frame);
  }

  #open(from: number, to: number): void {
    [this.#from, this.#to] = [from, to];
    this.#bases = [];
    this.#sayings = new Map();
    const { at, entries } = this.#model.teams.members;
    for (let team = 0; team < this.#begins.length; team++) {
      const begin = this.#ends[team] ?? 0;
      this.#begins[team] = begin;
      this.#ends[team] = lowerBound(entries, begin, at[team + 1] ?? 0, to);
    }
    this.#visitor.begin({ from, to, begins: this.#begins, ends: this.#ends });
  }

  #base(level: number): Uint8Array {
    const known = this.#bases[level];
    if (known !== undefined) return known;
    this.#work += this.#to - this.#from;
    const sheet = this.#model.members.roles.slice(this.#from, this.#to);
    for (let place = 0; place < sheet.length; place++) {
      const role = sheet[place] ?? NOTHING;
      if (role === ADMIN) sheet[place] = OF_ADMIN;
      else if (role !== NOTHING && level !== INHERIT) sheet[place] = level;
    }
    this.#bases[level] = sheet;
    return sheet;
  }

  #hear(set: number): Saying {
    const { members } = this.#model;
    const codes = sayingOf(this.#model, set, this.#from, this.#to);
    this.#work += codes.length;
    if (levelAmong(this.#model, sitesIn(this.#model, set)) !== INHERIT) {
      const isAdmin = (place: number) => members.roles[this.#from + place] === ADMIN;
      const base = codes.map((code, place) => (isAdmin(place) ? OF_ADMIN : code & ROLE));
      return { base, places: [], ranks: [] };
    }
    const places: number[] = [];
    for (const [place, code] of codes.entries()) if (code !== NOTHING) places.push(place);
    return { base: undefined, places, ranks: places.map((place) => (codes[place] ?? NOTHING) & ROLE) };
  }

  #paintSaid(sheet: Uint8Array, { places, ranks }: Saying): void {
    this.#work += places.length;
    this.#room(places.length);
    for (const [at, place] of places.entries()) this.#stroke(sheet, place, ranks[at] ?? NOTHING);
  }

  /** There must be room. */
  #stroke(sheet: Uint8Array, place: number, role: number): void {
    const old = sheet[place] ?? 0;
    if (old === OF_ADMIN) return;
    this.#places[this.#strokes] = place;
    this.#was[this.#strokes] = old;
    this.#became[this.#strokes++] = role;
    sheet[place] = role;
  }

  #copy(depth: number, sheet: Uint8Array): Uint8Array {
    const known = this.#sheets[depth];
    const copy = known?.length === sheet.length ? known : new Uint8Array(sheet.length);
    this.#sheets[depth] = copy;
    copy.set(sheet);
    return copy;
  }

  #entriesOn(x: number): number {
    const { at, entries } = this.#model.contents.teams;
    let length = 0;
    for (let g = at[x] ?? 0; g < (at[x + 1] ?? 0); g++) {
      const team = (entries[g] ?? 0) >>> PERMISSION;
      length += (this.#ends[team] ?? 0) - (this.#begins[team] ?? 0);
    }
    return length;
  }

  #paint(x: number, sheet: Uint8Array): void {
    const { teams, users } = this.#model.contents;
    const members = this.#model.teams.members.entries;
    for (let g = teams.at[x] ?? 0; g < (teams.at[x + 1] ?? 0); g++) {
      const entry = teams.entries[g] ?? 0;
      const team = entry >>> PERMISSION;
      this.#paintTeam(sheet, members, this.#begins[team] ?? 0, this.#ends[team] ?? 0, entry & ROLE);
    }
    const last = users.at[x + 1] ?? 0;
    const edge = this.#to * (ROLE + 1);
    let k = lowerBound(users.entries, users.at[x] ?? 0, last, this.#from * (ROLE + 1));
    for (; k < last; k++) {
      const entry = users.entries[k] ?? 0;
      if (entry >= edge) break;
      this.#room(1);
      this.#stroke(sheet, (entry >>> PERMISSION) - this.#from, entry & ROLE);
    }
  }

  /** The loop in which the walk spends its time. */
  #paintTeam(sheet: Uint8Array, members: Uint32Array, begin: number, end: number, role: number): void {
    this.#work += end - begin;
    this.#room(end - begin);
    const [places, was, became, from] = [this.#places, this.#was, this.#became, this.#from];
    let strokes = this.#strokes;
    for (let k = begin; k < end; k++) {
      const place = (members[k] ?? 0) - from;
      const old = sheet[place] ?? 0;
      if (old === role || old === OF_ADMIN) continue;
      places[strokes] = place;
      was[strokes] = old;
      became[strokes++] = role;
      sheet[place] = role;
    }
    this.#strokes = strokes;
  }

  #room(more: number): void {
    const length = this.#strokes + more;
    if (length <= this.#places.length) return;
    const places = new Uint32Array(2 * length);
    const [was, became] = [new Uint8Array(2 * length), new Uint8Array(2 * length)];
    places.set(this.#places);
    was.set(this.#was);
    became.set(this.#became);
    [this.#places, this.#was, this.#became] = [places, was, became];
  }

  #undo({ sheet, undo }: Frame): void {
    this.#work += this.#strokes - undo;
    while (this.#strokes > undo) {
      const at = --this.#strokes;
      sheet[this.#places[at] ?? 0] = this.#was[at] ?? 0;
    }
  }
}
