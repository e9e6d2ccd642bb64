/**
 * The differences of everybody's roles on all contents between two states of an organization, in one walk over the
 * contents, depth first, for windows of people. Only people who may differ are painted, each with a byte that has both
 * roles; what a content paints is undone behind its last descendant. A part of the tree below a content on which nobody
 * differs, and in which nothing itself differs, is passed over.
 */
import { DIRECTIONS } from "../domain/difference.ts";
import { type DifferenceFilter, keptDirection } from "../domain/difference-filter.ts";
import { type Aligned, align } from "./aligned.ts";
import {
  AFTER,
  AFTER_ONLY,
  BEFORE_ONLY,
  BOTH,
  type CandidateLists,
  type GivenToTeams,
  listsOf,
  STATES,
  teamPermissions,
  TWO_ROLES,
  type TwoStates,
  whoMayDiffer,
} from "./candidates.ts";
import { lowerBound, PERMISSION } from "./lists.ts";
import { ADMIN, INHERIT, keptLast, type Model, NOTHING } from "./model.ts";
import { ABSENT } from "./numbering.ts";
import { ROLE } from "./code.ts";
import { accessOn, sayingOf, WIDEST } from "./paint.ts";
import { askedBy, holderOf, saidBy } from "./sites.ts";

/** What became of a role: an index in {@link DIRECTIONS}. */
const KINDS = DIRECTIONS.length;

export interface Differences extends Aligned {
  /** By content and kind: how many people differ. The sum of content `x` and `kind` is at `4 * x + kind`. */
  readonly sums: Uint32Array;
  /** How many people may differ, and how many contents were painted, once for each window. */
  readonly candidates: number;
  readonly visited: number;
}

/** Receives each difference: a content and a person by common numbers, and the ranks of both roles, 0 for none. */
export type EachDifference = (content: number, person: number, before: number, after: number) => void;

// Beside both roles, a code says for each state whether the person is an organization admin, which nothing covers.
const ADMIN_BEFORE = 64;
const ADMIN_AFTER = 128;

export function rankBefore(code: number): number {
  return code & ROLE;
}

export function rankAfter(code: number): number {
  return (code >> AFTER) & ROLE;
}

/** The kind of each code by the ranks of its roles; -1 for codes that do not count, as those of two equal roles. */
export type Kinds = Int8Array;

export function kindsBy(kindOf: (before: number, after: number) => number): Kinds {
  return Int8Array.from({ length: 256 }, (_, code) => kindOf(rankBefore(code), rankAfter(code)));
}

/** The kinds of the codes that pass a filter by role and direction. */
export function kindsFor(filter: DifferenceFilter): Kinds {
  return kindsBy((before, after) => {
    const direction = keptDirection(filter, before, after, true);
    return direction === undefined ? -1 : DIRECTIONS.indexOf(direction);
  });
}

const ALL_KINDS = kindsFor({});

/** What a code becomes when a role is given in some states, by `role * 4 + states`. */
const GIVEN = Array.from({ length: 8 * 4 }, (_, at) => {
  const [role, states] = [at >> STATES, at & BOTH];
  return Uint8Array.from({ length: 256 }, (_, code) => {
    const before = (states & BEFORE_ONLY) > 0 && (code & ADMIN_BEFORE) === 0 ? role : rankBefore(code);
    const after = (states & AFTER_ONLY) > 0 && (code & ADMIN_AFTER) === 0 ? role : rankAfter(code);
    return before | (after << AFTER) | (code & (ADMIN_BEFORE | ADMIN_AFTER));
  });
});

export interface Manner {
  /** How many people are painted at once: a sheet of 65,536 bytes stays in the processor's nearest caches. */
  readonly window: number;
  /**
   * Beyond so many entries on a content, copying the sheet is cheaper than undoing each entry: copying 65,536 bytes
   * takes as long as noting and undoing some 12,000 entries.
   */
  readonly copied: number;
}

const USUAL: Manner = { window: 1 << 16, copied: 12_000 };
/** Entries painted and contents looked at until others get a turn: some milliseconds. */
const WORK_A_TURN = 1_000_000;

export function* differences(
  before: Model,
  after: Model,
  each?: EachDifference,
  manner = USUAL,
): Generator<void, Differences> {
  const states: TwoStates = { before, after, aligned: yield* align(before, after) };
  const given = yield* teamPermissions(states);
  const candidates = yield* whoMayDiffer(states, given);
  const walk = yield* walkOver(states, given, candidates, { each, manner });
  yield* walk.run();
  const { sums, visited } = walk;
  return { ...states.aligned, sums, candidates: candidates.length, visited };
}

/** What is wanted of a walk; by default, the sums of all differences. */
interface Wanted {
  /** The contents that are summed; those around them are painted, too. */
  readonly contents?: Uint8Array | undefined;
  readonly kinds?: Kinds | undefined;
  readonly each?: EachDifference | undefined;
  readonly visitor?: Visitor | undefined;
  readonly manner?: Manner | undefined;
  /** Receives the fraction done, from 0 to 1. */
  readonly progress?: ((part: number) => void) | undefined;
}

/** A content that a walk has painted in a window. */
export interface Visit {
  readonly content: number;
  /** What is inside the content is visited next, up to, without, this one. */
  readonly end: number;
  /** Whether it is summed. */
  readonly isWanted: boolean;
  /** Whether what is above it does not count for it. */
  readonly isFresh: boolean;
  /** Whether an entry of its own lists holds for somebody in one state only, or it inherits otherwise than before. */
  readonly isOwn: boolean;
  /** For how many people it differs. */
  readonly differ: number;
  /** The code of each person of the window, and how often each code occurs. */
  readonly sheet: Uint8Array;
  readonly counts: Int32Array;
}

/**
 * Looks at the painted contents, depth first, in each window anew. Contents inside which nobody differs are passed over.
 */
export interface Visitor {
  open(walk: Walk): void;
  /** Returns how many steps it took. */
  visit(visit: Visit): number;
}

/** A walk for these people, ascending, of those who may differ. */
export function* walkOver(
  states: TwoStates,
  given: GivenToTeams,
  candidates: Uint32Array,
  wanted: Wanted = {},
): Generator<void, Walk> {
  return new Walk(states, given, candidates, yield* listsOf(states, candidates), wanted);
}

/** A byte for each person of a window, and how often each code occurs in it. */
interface Sheet {
  readonly bytes: Uint8Array;
  readonly counts: Int32Array;
  /** A copy is thrown away where the painting of other sheets is undone. */
  readonly isCopy: boolean;
  isUsed: boolean;
}

/** What a set of sites says to each person of a window, and to how many. */
interface Saying {
  readonly codes: Uint8Array;
  readonly spoken: number;
}

/** Of how many sets it is kept what they say to a window, and to all members, the last used ones. */
const KEPT_SAYINGS = 64;
const KEPT_WHOLE = 16;
/** Where less than one of so many members is looked at, each is asked for alone. */
const FEW = 64;

/** What a set of sites says to each member of a state. */
function wholeSaying(model: Model, set: number): Uint8Array {
  const { count } = model.members;
  const codes = new Uint8Array(count);
  for (let from = 0; from < count; from += WIDEST) {
    const to = Math.min(count, from + WIDEST);
    codes.set(sayingOf(model, set, from, to), from);
  }
  return codes;
}

/** A content on the way down. */
interface Frame {
  readonly end: number;
  /** Where its entries begin among those to undo. */
  readonly undo: number;
  readonly sheet: Sheet;
  readonly owns: boolean;
  readonly differ: number;
}

export class Walk {
  readonly sums: Uint32Array;
  visited = 0;
  /** The people of the walk, of whom those from place `from` up to `to` are in the window. */
  readonly candidates: Uint32Array;
  from = 0;
  to = 0;
  readonly #states: TwoStates;
  readonly #given: GivenToTeams;
  readonly #lists: CandidateLists;
  readonly #wanted: Wanted;
  readonly #manner: Manner;
  readonly #kinds: Kinds;
  /** The codes of some kind. */
  readonly #unequal: Uint8Array;
  /** How many of the contents before a content are wanted; `undefined` if all are. */
  readonly #wantedBefore: Uint32Array | undefined;
  /** How many of the contents before a content differ themselves. */
  readonly #differBefore: Uint32Array;
  /** The first content from each content on that does not inherit from the common parent in both states. */
  readonly #nextBegin: Uint32Array;
  #undoPlace = new Uint32Array(1 << 18);
  #undoCode = new Uint8Array(1 << 18);
  #undone = 0;
  #work = 0;
  // The parts of each team's lists that are in the window.
  readonly #begins: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #oddBegins: Uint32Array;
  readonly #oddEnds: Uint32Array;
  /** Whether an organization admin of one state is none in the other: then equal permissions may give unequal roles. */
  #hasNewAdmins = false;
  #fresh = new Map<number, Sheet[]>();
  #copies: Sheet[] = [];
  /** What sets of sites say to the people of the window in each state, and what they say to all members of one. */
  readonly #said = { before: new Map<number, Saying>(), after: new Map<number, Saying>() };
  readonly #whole = { before: new Map<number, Uint8Array>(), after: new Map<number, Uint8Array>() };

  constructor(
    states: TwoStates,
    given: GivenToTeams,
    candidates: Uint32Array,
    lists: CandidateLists,
    wanted: Wanted,
  ) {
    const { contents, kinds = ALL_KINDS, manner = USUAL } = wanted;
    this.#states = states;
    this.#given = given;
    this.candidates = candidates;
    this.#lists = lists;
    this.#wanted = wanted;
    this.#manner = manner;
    this.#kinds = kinds;
    this.#unequal = Uint8Array.from(kinds.keys().filter((code) => (kinds[code] ?? -1) >= 0));
    const { count } = states.aligned.contents;
    this.sums = new Uint32Array(KINDS * count);
    this.#wantedBefore = contents && countedBefore(contents);
    this.#begins = lists.teams.at.slice(0, -1);
    this.#ends = lists.teams.at.slice(0, -1);
    this.#oddBegins = lists.odd.at.slice(0, -1);
    this.#oddEnds = lists.odd.at.slice(0, -1);
    this.#differBefore = this.#countDiffering();
    this.#nextBegin = new Uint32Array(count + 1).fill(count);
    for (let x = count - 1; x >= 0; x--)
      this.#nextBegin[x] = given.begins[x] === 1 ? x : (this.#nextBegin[x + 1] ?? count);
  }

  /** A content differs itself if an entry of its lists holds for somebody in one state only. */
  #countDiffering(): Uint32Array {
    const { at, entries, differs } = this.#given;
    const { odd, users } = this.#lists;
    const before = new Uint32Array(differs.length + 1);
    for (let x = 0; x < differs.length; x++) {
      let isDiffering = differs[x] === 1;
      for (let g = at[x] ?? 0; !isDiffering && g < (at[x + 1] ?? 0); g++) {
        const team = (entries[g] ?? 0) >>> (PERMISSION + STATES);
        isDiffering = (odd.at[team + 1] ?? 0) > (odd.at[team] ?? 0);
      }
      for (let k = users.at[x] ?? 0; !isDiffering && k < (users.at[x + 1] ?? 0); k++) {
        const pair = users.entries[k] ?? 0;
        isDiffering = (pair & ROLE) !== ((pair >> AFTER) & ROLE);
      }
      before[x + 1] = (before[x] ?? 0) + (isDiffering ? 1 : 0);
    }
    return before;
  }

  *run(): Generator<void> {
    for (let from = 0; from < this.candidates.length; from += this.#manner.window) {
      this.#open(from);
      this.#wanted.visitor?.open(this);
      yield* this.#overContents();
    }
    this.#wanted.progress?.(1);
  }

  #open(from: number): void {
    this.from = from;
    this.to = Math.min(this.candidates.length, from + this.#manner.window);
    this.#fresh = new Map();
    this.#copies = [];
    this.#said.before.clear();
    this.#said.after.clear();
    this.#hasNewAdmins = this.candidates
      .subarray(from, this.to)
      .some((person) => this.#isAdmin("before", person) !== this.#isAdmin("after", person));
    const { teams, odd } = this.#lists;
    for (let team = 0; team < this.#begins.length; team++) {
      this.#begins[team] = this.#ends[team] ?? 0;
      this.#ends[team] = lowerBound(teams.entries, this.#begins[team] ?? 0, teams.at[team + 1] ?? 0, this.to);
      this.#oddBegins[team] = this.#oddEnds[team] ?? 0;
      this.#oddEnds[team] = lowerBound(
        odd.entries,
        this.#oddBegins[team] ?? 0,
        odd.at[team + 1] ?? 0,
        this.to << STATES,
      );
    }
  }

  #isAdmin(state: "before" | "after", person: number): boolean {
    const { people } = this.#states.aligned;
    const member = (state === "before" ? people.was : people.now)[person] ?? ABSENT;
    return member !== ABSENT && this.#states[state].members.roles[member] === ADMIN;
  }

  *#overContents(): Generator<void> {
    const { count, parents, ends } = this.#states.aligned.contents;
    const { begins } = this.#given;
    const stack: Frame[] = [];
    for (let x = 0; x < count;) {
      for (let top = stack.at(-1); top !== undefined && x >= top.end; top = stack.at(-1)) {
        stack.pop();
        this.#leave(top);
      }
      if (this.#work > WORK_A_TURN) {
        this.#work = 0;
        this.#wanted.progress?.((this.from + ((this.to - this.from) * x) / count) / this.candidates.length);
        yield;
      }
      const end = ends[x] ?? x + 1;
      if (this.#wantedBefore?.[end] === this.#wantedBefore?.[x] && this.#wantedBefore !== undefined) {
        x = end;
        continue;
      }
      const isQuiet = !this.#hasNewAdmins && this.#differBefore[end] === this.#differBefore[x];
      const above = (parents[x] ?? ABSENT) === ABSENT ? undefined : stack.at(-1);
      const isFresh = begins[x] === 1 || above === undefined;
      if (!isFresh && isQuiet && above.differ === 0) {
        x = this.#pass(x, above.sheet, stack);
        continue;
      }
      const undo = this.#undone;
      const sheet = isFresh ? this.#begin(x) : this.#continue(x, above.sheet);
      if (isFresh && isQuiet && this.#differ(sheet) === 0 && this.#undone === undo) {
        sheet.isUsed = false;
        x = this.#pass(x, sheet, stack);
        continue;
      }
      for (const { saying, states } of this.saidOn(x)) this.#paintSaid(sheet, saying, states);
      this.#paint(sheet, x, BOTH, sheet !== above?.sheet && sheet.isCopy);
      const isWanted = this.#wanted.contents === undefined || this.#wanted.contents[x] === 1;
      const differ = isWanted ? this.#sum(sheet, x) : this.#differ(sheet);
      const steps = this.#wanted.visitor?.visit({
        content: x,
        end,
        isWanted,
        isFresh,
        isOwn: this.#differBefore[x] !== this.#differBefore[x + 1],
        differ,
        sheet: sheet.bytes,
        counts: sheet.counts,
      });
      this.#work += steps ?? 0;
      stack.push({ end, undo, sheet, owns: isFresh || sheet !== above.sheet, differ });
      x++;
    }
    for (const frame of stack.toReversed()) this.#leave(frame);
  }

  /**
   * Passes over a content in and below which nothing itself differs, and to which nobody's difference comes from above.
   * Returns the next content to look at: inside it only those differ that inherit from nowhere, by what everybody has.
   */
  #pass(x: number, sheet: Sheet, stack: Frame[]): number {
    const end = this.#states.aligned.contents.ends[x] ?? x + 1;
    stack.push({ end, undo: this.#undone, sheet, owns: false, differ: 0 });
    return Math.min(end, this.#nextBegin[x + 1] ?? end);
  }

  #leave({ undo, sheet, owns }: Frame): void {
    if (owns && sheet.isCopy) this.#undone = undo;
    else {
      const { bytes, counts } = sheet;
      this.#work += this.#undone - undo;
      while (this.#undone > undo) {
        const at = --this.#undone;
        const place = this.#undoPlace[at] ?? 0;
        const old = this.#undoCode[at] ?? 0;
        const code = bytes[place] ?? 0;
        counts[code] = (counts[code] ?? 0) - 1;
        counts[old] = (counts[old] ?? 0) + 1;
        bytes[place] = old;
      }
    }
    if (owns) sheet.isUsed = false;
  }

  /** The sheet of a content that does not inherit from the common parent in both states, with what is above it. */
  #begin(x: number): Sheet {
    const { was, now } = this.#states.aligned.contents;
    const sides = [
      {
        model: this.#states.before,
        own: was[x] ?? ABSENT,
        common: this.#states.aligned.contents.ofWas,
        states: BEFORE_ONLY,
      },
      {
        model: this.#states.after,
        own: now[x] ?? ABSENT,
        common: this.#states.aligned.contents.ofNow,
        states: AFTER_ONLY,
      },
    ].map((side) => ({ ...side, access: side.own === ABSENT ? undefined : accessOn(side.model, side.own) }));
    const sheet = this.#freshSheet(sides[0]?.access?.base ?? ABSENT, sides[1]?.access?.base ?? ABSENT);
    for (const { access, common, states } of sides)
      for (const level of access?.levels.slice(1).toReversed() ?? [])
        this.#paint(sheet, common[level] ?? 0, states);
    return sheet;
  }

  /** A sheet with what everybody has: of each base there is one that is used again when it is free. */
  #freshSheet(baseBefore: number, baseAfter: number): Sheet {
    const key = (baseBefore + 1) * 16 + baseAfter + 1;
    const known = this.#fresh.get(key) ?? [];
    this.#fresh.set(key, known);
    let sheet = known.find(({ isUsed }) => !isUsed);
    if (sheet === undefined) {
      sheet = {
        bytes: new Uint8Array(this.to - this.from),
        counts: new Int32Array(256),
        isCopy: false,
        isUsed: true,
      };
      const { was, now } = this.#states.aligned.people;
      for (let place = this.from; place < this.to; place++) {
        const person = this.candidates[place] ?? 0;
        const [i, j] = [was[person] ?? ABSENT, now[person] ?? ABSENT];
        const p = i === ABSENT ? NOTHING : (this.#states.before.members.roles[i] ?? NOTHING);
        const q = j === ABSENT ? NOTHING : (this.#states.after.members.roles[j] ?? NOTHING);
        const code =
          baseRole(p, baseBefore) |
          (baseRole(q, baseAfter) << AFTER) |
          (p === ADMIN ? ADMIN_BEFORE : 0) |
          (q === ADMIN ? ADMIN_AFTER : 0);
        sheet.bytes[place - this.from] = code;
        sheet.counts[code] = (sheet.counts[code] ?? 0) + 1;
      }
      known.push(sheet);
      this.#work += 4 * sheet.bytes.length;
    }
    sheet.isUsed = true;
    return sheet;
  }

  /** The sheet from above, or a copy of it where much is painted on the content. */
  #continue(x: number, sheet: Sheet): Sheet {
    const { at, entries } = this.#given;
    let length = 0;
    for (let g = at[x] ?? 0; g < (at[x + 1] ?? 0); g++) {
      const team = (entries[g] ?? 0) >>> (PERMISSION + STATES);
      length += (this.#ends[team] ?? 0) - (this.#begins[team] ?? 0);
    }
    for (const { saying } of this.saidOn(x)) length += saying.spoken;
    if (length <= this.#manner.copied) return sheet;
    let copy = this.#copies.find(({ isUsed }) => !isUsed);
    if (copy === undefined) {
      copy = {
        bytes: new Uint8Array(sheet.bytes.length),
        counts: new Int32Array(256),
        isCopy: true,
        isUsed: true,
      };
      this.#copies.push(copy);
    }
    copy.bytes.set(sheet.bytes);
    copy.counts.set(sheet.counts);
    copy.isUsed = true;
    return copy;
  }

  /**
   * Paints the permissions on a content that hold in some of these states. Nothing is noted to be undone if the sheet is
   * `thrownAway` behind the content.
   */
  #paint(sheet: Sheet, x: number, states: number, thrownAway = false): void {
    const { at, entries } = this.#given;
    const { teams, odd, users } = this.#lists;
    for (let g = at[x] ?? 0; g < (at[x + 1] ?? 0); g++) {
      const entry = entries[g] ?? 0;
      const holds = entry & states;
      if (holds === 0) continue;
      const team = entry >>> (PERMISSION + STATES);
      const role = (entry >>> STATES) & ROLE;
      this.#paintAll(
        sheet,
        teams.entries,
        this.#begins[team] ?? 0,
        this.#ends[team] ?? 0,
        role * 4 + holds,
        thrownAway,
      );
      for (let k = this.#oddBegins[team] ?? 0; k < (this.#oddEnds[team] ?? 0); k++) {
        const member = odd.entries[k] ?? 0;
        const both = member & holds;
        if (both !== 0) this.#set(sheet, (member >>> STATES) - this.from, GIVEN[role * 4 + both] ?? KEEP);
      }
    }
    const last = users.at[x + 1] ?? 0;
    const edge = this.to * (1 << TWO_ROLES);
    let k = lowerBound(users.entries, users.at[x] ?? 0, last, this.from * (1 << TWO_ROLES));
    for (; k < last; k++) {
      const entry = users.entries[k] ?? 0;
      if (entry >= edge) break;
      const place = (entry >>> TWO_ROLES) - this.from;
      const [before, after] = [entry & ROLE, (entry >> AFTER) & ROLE];
      if (before === after) this.#set(sheet, place, GIVEN[before * 4 + states] ?? KEEP);
      else {
        if (before !== 0 && (states & BEFORE_ONLY) > 0)
          this.#set(sheet, place, GIVEN[before * 4 + BEFORE_ONLY] ?? KEEP);
        if (after !== 0 && (states & AFTER_ONLY) > 0)
          this.#set(sheet, place, GIVEN[after * 4 + AFTER_ONLY] ?? KEEP);
      }
    }
  }

  /** What the sites that a content asks say to the people of the window, in each state. */
  *saidOn(x: number): Generator<{ readonly saying: Saying; readonly states: number }> {
    const { before, after, aligned } = this.#states;
    const { was, now } = aligned.contents;
    const then = askedBy(before, was[x] ?? ABSENT);
    if (then >= 0) yield { saying: this.#hear("before", then), states: BEFORE_ONLY };
    const since = askedBy(after, now[x] ?? ABSENT);
    if (since >= 0) yield { saying: this.#hear("after", since), states: AFTER_ONLY };
  }

  #hear(state: "before" | "after", set: number): Saying {
    return keptLast(this.#said[state], set, KEPT_SAYINGS, () => {
      const model = this.#states[state];
      const { people } = this.#states.aligned;
      const numbers = state === "before" ? people.was : people.now;
      const codes = new Uint8Array(this.to - this.from);
      const isWhole = codes.length * FEW > model.members.count;
      const whole = isWhole
        ? keptLast(this.#whole[state], set, KEPT_WHOLE, () => wholeSaying(model, set))
        : undefined;
      let spoken = 0;
      for (let place = 0; place < codes.length; place++) {
        const member = numbers[this.candidates[this.from + place] ?? 0] ?? ABSENT;
        if (member === ABSENT) continue;
        const code = whole === undefined ? saidBy(model, holderOf(model, member), set) : (whole[member] ?? 0);
        codes[place] = code;
        if (code !== 0) spoken++;
      }
      this.#work += codes.length;
      return { codes, spoken };
    });
  }

  #paintSaid(sheet: Sheet, { codes }: Saying, states: number): void {
    this.#work += codes.length;
    for (let place = 0; place < codes.length; place++) {
      const code = codes[place] ?? 0;
      if (code !== 0) this.#set(sheet, place, GIVEN[(code & ROLE) * 4 + states] ?? KEEP);
    }
  }

  /** The permissions of teams on a content, and the members of a team in both states, in the window. */
  givenOn(x: number): Uint32Array {
    return this.#given.entries.subarray(this.#given.at[x], this.#given.at[x + 1]);
  }

  membersOf(team: number): Uint32Array {
    return this.#lists.teams.entries.subarray(this.#begins[team], this.#ends[team]);
  }

  /** The direct permissions on a content of the people in the window (`candidates.ts`). */
  usersOn(x: number): Uint32Array {
    const { at, entries } = this.#lists.users;
    const [begin, end] = [at[x] ?? 0, at[x + 1] ?? 0];
    return entries.subarray(
      lowerBound(entries, begin, end, this.from * (1 << TWO_ROLES)),
      lowerBound(entries, begin, end, this.to * (1 << TWO_ROLES)),
    );
  }

  /** Calls `use` with the place of everybody in the window to whom a content itself gives something in some state. */
  eachGiven(x: number, use: (place: number) => void): void {
    const { odd } = this.#lists;
    for (const entry of this.givenOn(x)) {
      const team = entry >>> (PERMISSION + STATES);
      for (const place of this.membersOf(team)) use(place);
      for (let k = this.#oddBegins[team] ?? 0; k < (this.#oddEnds[team] ?? 0); k++)
        use((odd.entries[k] ?? 0) >>> STATES);
    }
    for (const entry of this.usersOn(x)) use(entry >>> TWO_ROLES);
    for (const { saying } of this.saidOn(x))
      for (const [place, code] of saying.codes.entries()) if (code !== 0) use(this.from + place);
  }

  #room(more: number): void {
    if (this.#undone + more <= this.#undoPlace.length) return;
    const places = new Uint32Array(2 * (this.#undone + more));
    const codes = new Uint8Array(places.length);
    places.set(this.#undoPlace);
    codes.set(this.#undoCode);
    [this.#undoPlace, this.#undoCode] = [places, codes];
  }

  #set({ bytes, counts }: Sheet, place: number, become: Uint8Array): void {
    const old = bytes[place] ?? 0;
    const code = become[old] ?? 0;
    if (code === old) return;
    this.#room(1);
    this.#undoPlace[this.#undone] = place;
    this.#undoCode[this.#undone++] = old;
    bytes[place] = code;
    counts[old] = (counts[old] ?? 0) - 1;
    counts[code] = (counts[code] ?? 0) + 1;
  }

  /** Paints one team on a sheet: the loop in which the walk spends its time. */
  #paintAll(
    { bytes, counts }: Sheet,
    list: Uint32Array,
    begin: number,
    end: number,
    given: number,
    thrownAway: boolean,
  ): void {
    const become = GIVEN[given] ?? KEEP;
    const from = this.from;
    this.#work += end - begin;
    if (thrownAway && end - begin === bytes.length) {
      // The list names everybody in the window: codes become others as a whole.
      const before = counts.slice();
      counts.fill(0);
      for (const [code, next] of become.entries()) counts[next] = (counts[next] ?? 0) + (before[code] ?? 0);
      for (let place = 0; place < bytes.length; place++) bytes[place] = become[bytes[place] ?? 0] ?? 0;
      return;
    }
    if (thrownAway) {
      for (let k = begin; k < end; k++) {
        const place = (list[k] ?? 0) - from;
        const old = bytes[place] ?? 0;
        const code = become[old] ?? 0;
        bytes[place] = code;
        counts[old] = (counts[old] ?? 0) - 1;
        counts[code] = (counts[code] ?? 0) + 1;
      }
      return;
    }
    this.#room(end - begin);
    const [places, codes] = [this.#undoPlace, this.#undoCode];
    let undone = this.#undone;
    for (let k = begin; k < end; k++) {
      const place = (list[k] ?? 0) - from;
      const old = bytes[place] ?? 0;
      const code = become[old] ?? 0;
      if (code === old) continue;
      places[undone] = place;
      codes[undone++] = old;
      bytes[place] = code;
      counts[old] = (counts[old] ?? 0) - 1;
      counts[code] = (counts[code] ?? 0) + 1;
    }
    this.#undone = undone;
  }

  #differ({ counts }: Sheet): number {
    let differ = 0;
    for (const code of this.#unequal) differ += counts[code] ?? 0;
    return differ;
  }

  /** Adds what differs on a content in this window, and returns for how many people. */
  #sum({ bytes, counts }: Sheet, x: number): number {
    this.visited++;
    this.#work += this.#unequal.length;
    let differ = 0;
    for (const code of this.#unequal) {
      const count = counts[code] ?? 0;
      if (count === 0) continue;
      differ += count;
      const at = KINDS * x + (this.#kinds[code] ?? 0);
      this.sums[at] = (this.sums[at] ?? 0) + count;
    }
    const { each } = this.#wanted;
    if (differ > 0 && each !== undefined) {
      this.#work += bytes.length;
      for (let left = differ, place = 0; left > 0 && place < bytes.length; place++) {
        const code = bytes[place] ?? 0;
        if ((this.#kinds[code] ?? -1) < 0) continue;
        left--;
        each(x, this.candidates[this.from + place] ?? 0, rankBefore(code), rankAfter(code));
      }
    }
    return differ;
  }
}

/** How many of the contents before each one are marked. */
function countedBefore(marked: Uint8Array): Uint32Array {
  const before = new Uint32Array(marked.length + 1);
  for (let x = 0; x < marked.length; x++) before[x + 1] = (before[x] ?? 0) + (marked[x] ?? 0);
  return before;
}

/** Changes no code. */
const KEEP = Uint8Array.from({ length: 256 }, (_, code) => code);

/** The rank that somebody with an organization role has where nothing else is given. */
function baseRole(role: number, base: number): number {
  if (base === ABSENT) return NOTHING;
  if (role === ADMIN || base === INHERIT) return role;
  return role === NOTHING ? NOTHING : base;
}
