/**
 * The differences of everybody's roles on all contents between two states of an organization, in one walk over the
 * contents, depth first, for windows of people. Only people who may differ are painted, each with a byte that has both
 * roles; what a content paints is undone behind its last descendant. A part of the tree below a content on which nobody
 * differs, and in which nothing itself differs, is passed over.
 */
import { type Aligned, align, commonOf, inheritsIn } from "./aligned.ts";
import { type Lists, lowerBound, MEMBERSHIP, PERMISSION } from "./lists.ts";
import { build } from "./builder.ts";
import { ADMIN, INHERIT, type Model, NOTHING } from "./model.ts";
import { ABSENT } from "./numbering.ts";
import { accessOn, ROLE } from "./paint.ts";

/** What became of a role; the index of a sum. */
export const GAINED = 0;
export const LOST = 1;
export const RAISED = 2;
export const LOWERED = 3;
const KINDS = 4;

export interface Differences extends Aligned {
  /** By content and kind: how many people differ. The sum of content `x` and `kind` is at `4 * x + kind`. */
  readonly sums: Uint32Array;
  /** By content and rank: how many of those who differ have the role afterwards, at `8 * x + rank`. */
  readonly roles: Uint32Array;
  /** How many people may differ, and how many contents were painted, once for each window. */
  readonly candidates: number;
  readonly visited: number;
}

/** Receives each difference: a content and a person by common numbers, and the ranks of both roles, 0 for none. */
export type EachDifference = (content: number, person: number, before: number, after: number) => void;

// A code has the role before, the role after << 3, and for each state whether the person is an organization admin,
// which nothing covers.
const AFTER = 3;
const ADMIN_BEFORE = 64;
const ADMIN_AFTER = 128;
/** The states in which an entry of a list holds. */
const BEFORE_ONLY = 1;
const AFTER_ONLY = 2;
const BOTH = 3;
const STATES = 2;

/** Codes with two different roles, and the kind of each; -1 for other codes. */
const KIND = Int8Array.from({ length: 256 }, (_, code) => {
  const [before, after] = [code & ROLE, (code >> AFTER) & ROLE];
  if (before === after) return -1;
  return before === NOTHING ? GAINED : after === NOTHING ? LOST : after > before ? RAISED : LOWERED;
});
const UNEQUAL = Uint8Array.from(KIND.keys().filter((code) => (KIND[code] ?? -1) >= 0));

/** What a code becomes when a role is given in some states, by `role * 4 + states`. */
const GIVEN = Array.from({ length: 8 * 4 }, (_, at) => {
  const [role, states] = [at >> STATES, at & BOTH];
  return Uint8Array.from({ length: 256 }, (_, code) => {
    const before = (states & BEFORE_ONLY) > 0 && (code & ADMIN_BEFORE) === 0 ? role : code & ROLE;
    const after = (states & AFTER_ONLY) > 0 && (code & ADMIN_AFTER) === 0 ? role : (code >> AFTER) & ROLE;
    return before | (after << AFTER) | (code & (ADMIN_BEFORE | ADMIN_AFTER));
  });
});

export interface Manner {
  /** How many people are painted at once: a sheet of 65,536 bytes stays in the processor's nearest caches. */
  readonly window: number;
  /** Beyond so many entries on a content, copying the sheet is cheaper than undoing each entry. */
  readonly copied: number;
}

const USUAL: Manner = { window: 1 << 16, copied: 12_000 };
/** Entries painted and contents looked at until others get a turn: some milliseconds. */
const WORK_A_TURN = 1_000_000;
const PEOPLE_A_TURN = 20_000;

export function* differences(
  before: Model,
  after: Model,
  each?: EachDifference,
  manner = USUAL,
): Generator<void, Differences> {
  const aligned = yield* align(before, after);
  const given = yield* teamPermissions(before, after, aligned);
  const candidates = yield* whoMayDiffer(before, after, aligned, given);
  const lists = yield* listsOf(before, after, aligned, candidates);
  const walk = new Walk(before, after, aligned, given, candidates, lists, each, manner);
  yield* walk.run();
  const { sums, roles, visited } = walk;
  return { ...aligned, sums, roles, candidates: candidates.length, visited };
}

/**
 * How many members have each role on each content, at `8 * content + rank`: everything differs from an organization that
 * has nothing.
 */
export function* rolesOfEverybody(model: Model, manner = USUAL): Generator<void, Uint32Array> {
  const { organization } = model;
  const nothing = yield* build(organization, { teams: [], contents: [], members: [], sites: [] });
  const { roles } = yield* differences(nothing, model, undefined, manner);
  return roles;
}

/** The permissions of teams on each content: team << 5 | role << 2 | states, weakest first. */
interface GivenToTeams {
  readonly at: Uint32Array;
  readonly entries: Uint32Array;
  /** Teams with a permission that one state alone has. */
  readonly touched: Uint8Array;
  /** Contents that do not inherit as before, or whose own permissions of teams differ. */
  readonly differs: Uint8Array;
  /** Contents that do not inherit from the common parent in both states. */
  readonly begins: Uint8Array;
  /** Whether some content inherits otherwise than before. */
  readonly isRebuilt: boolean;
}

function* teamPermissions(
  before: Model,
  after: Model,
  { contents, teams }: Aligned,
): Generator<void, GivenToTeams> {
  const { count, was, now } = contents;
  const at = new Uint32Array(count + 1);
  const entries = new Uint32Array(before.contents.teams.entries.length + after.contents.teams.entries.length);
  const touched = new Uint8Array(teams.count);
  const [differs, begins] = [new Uint8Array(count), new Uint8Array(count)];
  const teamWas = commonOf(teams.was, before.teams.count);
  const teamNow = commonOf(teams.now, after.teams.count);
  const sides = [
    { lists: before.contents.teams, numbers: was, team: teamWas, states: BEFORE_ONLY },
    { lists: after.contents.teams, numbers: now, team: teamNow, states: AFTER_ONLY },
  ];
  let isRebuilt = false;
  let length = 0;
  for (let x = 0; x < count; x++) {
    const held = [inheritsIn(before, was, contents, x), inheritsIn(after, now, contents, x)];
    if (held.includes(false)) begins[x] = 1;
    if (!isSameRoot(before, after, contents, x)) {
      differs[x] = 1;
      isRebuilt = true;
    }
    const states = new Map<number, number>();
    for (const side of sides) {
      const own = side.numbers[x] ?? ABSENT;
      if (own === ABSENT) continue;
      for (let g = side.lists.at[own] ?? 0; g < (side.lists.at[own + 1] ?? 0); g++) {
        const entry = side.lists.entries[g] ?? 0;
        const permission = ((side.team[entry >>> PERMISSION] ?? 0) << PERMISSION) | (entry & ROLE);
        states.set(permission, (states.get(permission) ?? 0) | side.states);
      }
    }
    const sorted = Array.from(states).sort(([a], [b]) => (a & ROLE) - (b & ROLE));
    for (const [permission, holds] of sorted) {
      entries[length++] = (permission << STATES) | holds;
      if (holds === BOTH) continue;
      touched[permission >>> PERMISSION] = 1;
      differs[x] = 1;
    }
    at[x + 1] = length;
    if (x % 2000 === 0) yield;
  }
  return { at, entries: entries.slice(0, length), touched, differs, begins, isRebuilt };
}

/** Whether a content inherits from the same parent in both states, or has the same default level. */
function isSameRoot(
  before: Model,
  after: Model,
  { was, now, parents }: Aligned["contents"],
  x: number,
): boolean {
  const [p, q] = [was[x] ?? ABSENT, now[x] ?? ABSENT];
  if (p === ABSENT || q === ABSENT) return false;
  const level = after.contents.levels[q];
  if (before.contents.levels[p] !== level) return false;
  if (level !== INHERIT) return true;
  const above = parents[x] ?? ABSENT;
  const parent = before.contents.parents[p] ?? ABSENT;
  return above === ABSENT ? parent === ABSENT : parent === (was[above] ?? ABSENT) && parent !== ABSENT;
}

/** The people whose role may differ somewhere: ascending common numbers. */
function* whoMayDiffer(
  before: Model,
  after: Model,
  { people, teams, contents }: Aligned,
  { touched, isRebuilt }: GivenToTeams,
): Generator<void, Uint32Array> {
  const found = new Uint32Array(people.count);
  let length = 0;
  const [p, q] = [before.members, after.members];
  const isTouched = touched.includes(1);
  const teamNow = commonOf(teams.now, after.teams.count);
  const teamWas = commonOf(teams.was, before.teams.count);
  const contentWas = commonOf(contents.was, before.contents.count);
  const contentNow = commonOf(contents.now, after.contents.count);
  const areTeamsSame = p.teams === q.teams;
  const areGrantsSame = p.permissions === q.permissions;
  for (let person = 0; person < people.count; person++) {
    if (person % PEOPLE_A_TURN === PEOPLE_A_TURN - 1) yield;
    const [i, j] = [people.was[person] ?? ABSENT, people.now[person] ?? ABSENT];
    if (i === ABSENT || j === ABSENT) {
      found[length++] = person;
      continue;
    }
    const role = q.roles[j];
    if (p.roles[i] === role) {
      // An admin of both states has another role only on contents that one state does not have.
      if (role === ADMIN && !isRebuilt) continue;
      const isSame =
        !isRebuilt &&
        (areTeamsSame || isSameList(p.teams, i, teamWas, q.teams, j, teamNow, MEMBERSHIP)) &&
        (areGrantsSame || isSameList(p.permissions, i, contentWas, q.permissions, j, contentNow, PERMISSION));
      if (isSame && !(isTouched && hasTouched(q.teams, j, teamNow, touched))) continue;
    }
    found[length++] = person;
  }
  return found.slice(0, length);
}

/** Whether two lists have the same entries. Entries are in the order of the numbers of their state. */
function isSameList(
  p: Lists,
  i: number,
  commonWas: Uint32Array,
  q: Lists,
  j: number,
  commonNow: Uint32Array,
  bits: number,
): boolean {
  const [begin, from] = [p.at[i] ?? 0, q.at[j] ?? 0];
  const length = (p.at[i + 1] ?? 0) - begin;
  if (length !== (q.at[j + 1] ?? 0) - from) return false;
  const mask = (1 << bits) - 1;
  for (let k = 0; k < length; k++) {
    const [a, b] = [p.entries[begin + k] ?? 0, q.entries[from + k] ?? 0];
    // Where the numbers changed their order, equal lists look different: such a person is looked at in vain.
    if (commonWas[a >>> bits] !== commonNow[b >>> bits]) return false;
    if (bits === PERMISSION && (a & mask) !== (b & mask)) return false;
  }
  return true;
}

function hasTouched({ at, entries }: Lists, j: number, common: Uint32Array, touched: Uint8Array): boolean {
  for (let k = at[j] ?? 0; k < (at[j + 1] ?? 0); k++)
    if (touched[common[(entries[k] ?? 0) >>> MEMBERSHIP] ?? 0] === 1) return true;
  return false;
}

/** The candidates on the lists of teams and contents, by their place among the candidates, ascending. */
interface CandidateLists {
  /** Members of a team in both states. */
  readonly teams: Lists;
  /** Members of a team in one state: place << 2 | states. */
  readonly odd: Lists;
  /** Direct permissions on a content: place << 6 | role after << 3 | role before. */
  readonly users: Lists;
}

/** Bits beside the place in a direct permission of two states. */
const TWO_ROLES = 6;

function* listsOf(
  before: Model,
  after: Model,
  { people, teams, contents }: Aligned,
  candidates: Uint32Array,
): Generator<void, CandidateLists> {
  const teamWas = commonOf(teams.was, before.teams.count);
  const teamNow = commonOf(teams.now, after.teams.count);
  const contentWas = commonOf(contents.was, before.contents.count);
  const contentNow = commonOf(contents.now, after.contents.count);
  const [p, q] = [before.members, after.members];
  const [both, odd, users] = [
    new Filling(teams.count),
    new Filling(teams.count),
    new Filling(contents.count),
  ];
  const pairs = new Map<number, number>();
  for (const pass of [0, 1]) {
    for (const [place, person] of candidates.entries()) {
      if (place % PEOPLE_A_TURN === PEOPLE_A_TURN - 1) yield;
      const [i, j] = [people.was[person] ?? ABSENT, people.now[person] ?? ABSENT];
      let k = i === ABSENT ? 0 : (p.teams.at[i] ?? 0);
      let m = j === ABSENT ? 0 : (q.teams.at[j] ?? 0);
      const kEnd = i === ABSENT ? 0 : (p.teams.at[i + 1] ?? 0);
      const mEnd = j === ABSENT ? 0 : (q.teams.at[j + 1] ?? 0);
      while (k < kEnd || m < mEnd) {
        const left = k < kEnd ? (teamWas[(p.teams.entries[k] ?? 0) >>> MEMBERSHIP] ?? 0) : teams.count;
        const right = m < mEnd ? (teamNow[(q.teams.entries[m] ?? 0) >>> MEMBERSHIP] ?? 0) : teams.count;
        if (left === right) both.add(left, place);
        else
          odd.add(
            Math.min(left, right),
            ((place << STATES) | (left < right ? BEFORE_ONLY : AFTER_ONLY)) >>> 0,
          );
        if (left <= right) k++;
        if (right <= left) m++;
      }
      pairs.clear();
      if (i !== ABSENT) {
        for (let g = p.permissions.at[i] ?? 0; g < (p.permissions.at[i + 1] ?? 0); g++) {
          const entry = p.permissions.entries[g] ?? 0;
          pairs.set(contentWas[entry >>> PERMISSION] ?? 0, entry & ROLE);
        }
      }
      if (j !== ABSENT) {
        for (let g = q.permissions.at[j] ?? 0; g < (q.permissions.at[j + 1] ?? 0); g++) {
          const entry = q.permissions.entries[g] ?? 0;
          const x = contentNow[entry >>> PERMISSION] ?? 0;
          pairs.set(x, (pairs.get(x) ?? 0) | ((entry & ROLE) << AFTER));
        }
      }
      for (const [x, pair] of pairs) users.add(x, place * (1 << TWO_ROLES) + pair);
    }
    for (const filling of [both, odd, users]) if (pass === 0) filling.counted();
  }
  return { teams: both.lists(), odd: odd.lists(), users: users.lists() };
}

/** Lists that are filled in two equal passes: the first one counts. */
class Filling {
  readonly #at: Uint32Array;
  readonly #next: Uint32Array;
  #entries: Uint32Array | undefined;

  constructor(count: number) {
    this.#at = new Uint32Array(count + 1);
    this.#next = new Uint32Array(count);
  }

  add(list: number, entry: number): void {
    const next = this.#next[list] ?? 0;
    this.#next[list] = next + 1;
    if (this.#entries !== undefined) this.#entries[next] = entry;
  }

  /** Ends the first pass. */
  counted(): void {
    for (let list = 0; list < this.#next.length; list++) {
      const begin = this.#at[list] ?? 0;
      this.#at[list + 1] = begin + (this.#next[list] ?? 0);
      this.#next[list] = begin;
    }
    this.#entries = new Uint32Array(this.#at.at(-1) ?? 0);
  }

  lists(): Lists {
    return { at: this.#at, entries: this.#entries ?? new Uint32Array(0) };
  }
}

/** A byte for each person of a window, and how often each code occurs in it. */
interface Sheet {
  readonly bytes: Uint8Array;
  readonly counts: Int32Array;
  /** A copy is thrown away where the painting of other sheets is undone. */
  readonly isCopy: boolean;
  isUsed: boolean;
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

class Walk {
  readonly sums: Uint32Array;
  readonly roles: Uint32Array;
  visited = 0;
  readonly #before: Model;
  readonly #after: Model;
  readonly #aligned: Aligned;
  readonly #given: GivenToTeams;
  readonly #candidates: Uint32Array;
  readonly #lists: CandidateLists;
  readonly #each: EachDifference | undefined;
  readonly #manner: Manner;
  /** How many of the contents before a content differ themselves. */
  readonly #differBefore: Uint32Array;
  /** The first content from each content on that does not inherit from the common parent in both states. */
  readonly #nextBegin: Uint32Array;
  readonly #contentWas: Uint32Array;
  readonly #contentNow: Uint32Array;
  #undoPlace = new Uint32Array(1 << 18);
  #undoCode = new Uint8Array(1 << 18);
  #undone = 0;
  #work = 0;
  // The window, and the parts of each team's lists that are in it.
  #from = 0;
  #to = 0;
  readonly #begins: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #oddBegins: Uint32Array;
  readonly #oddEnds: Uint32Array;
  #fresh = new Map<number, Sheet[]>();
  #copies: Sheet[] = [];

  constructor(
    before: Model,
    after: Model,
    aligned: Aligned,
    given: GivenToTeams,
    candidates: Uint32Array,
    lists: CandidateLists,
    each: EachDifference | undefined,
    manner: Manner,
  ) {
    this.#before = before;
    this.#after = after;
    this.#aligned = aligned;
    this.#given = given;
    this.#candidates = candidates;
    this.#lists = lists;
    this.#each = each;
    this.#manner = manner;
    const { count, was, now } = aligned.contents;
    this.sums = new Uint32Array(KINDS * count);
    this.roles = new Uint32Array((ROLE + 1) * count);
    this.#contentWas = commonOf(was, before.contents.count);
    this.#contentNow = commonOf(now, after.contents.count);
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
    for (let from = 0; from < this.#candidates.length; from += this.#manner.window) {
      this.#open(from);
      yield* this.#overContents();
    }
  }

  #open(from: number): void {
    this.#from = from;
    this.#to = Math.min(this.#candidates.length, from + this.#manner.window);
    this.#fresh = new Map();
    this.#copies = [];
    const { teams, odd } = this.#lists;
    for (let team = 0; team < this.#begins.length; team++) {
      this.#begins[team] = this.#ends[team] ?? 0;
      this.#ends[team] = lowerBound(
        teams.entries,
        this.#begins[team] ?? 0,
        teams.at[team + 1] ?? 0,
        this.#to,
      );
      this.#oddBegins[team] = this.#oddEnds[team] ?? 0;
      this.#oddEnds[team] = lowerBound(
        odd.entries,
        this.#oddBegins[team] ?? 0,
        odd.at[team + 1] ?? 0,
        this.#to << STATES,
      );
    }
  }

  *#overContents(): Generator<void> {
    const { count, parents, ends } = this.#aligned.contents;
    const { begins } = this.#given;
    const stack: Frame[] = [];
    for (let x = 0; x < count;) {
      for (let top = stack.at(-1); top !== undefined && x >= top.end; top = stack.at(-1)) {
        stack.pop();
        this.#leave(top);
      }
      if (this.#work > WORK_A_TURN) {
        this.#work = 0;
        yield;
      }
      const end = ends[x] ?? x + 1;
      const isQuiet = this.#differBefore[end] === this.#differBefore[x];
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
      this.#paint(sheet, x, BOTH, sheet !== above?.sheet && sheet.isCopy);
      const differ = this.#sum(sheet, x);
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
    const end = this.#aligned.contents.ends[x] ?? x + 1;
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
    const { was, now } = this.#aligned.contents;
    const sides = [
      { model: this.#before, own: was[x] ?? ABSENT, common: this.#contentWas, states: BEFORE_ONLY },
      { model: this.#after, own: now[x] ?? ABSENT, common: this.#contentNow, states: AFTER_ONLY },
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
        bytes: new Uint8Array(this.#to - this.#from),
        counts: new Int32Array(256),
        isCopy: false,
        isUsed: true,
      };
      const { was, now } = this.#aligned.people;
      for (let place = this.#from; place < this.#to; place++) {
        const person = this.#candidates[place] ?? 0;
        const [i, j] = [was[person] ?? ABSENT, now[person] ?? ABSENT];
        const p = i === ABSENT ? NOTHING : (this.#before.members.roles[i] ?? NOTHING);
        const q = j === ABSENT ? NOTHING : (this.#after.members.roles[j] ?? NOTHING);
        const code =
          baseRole(p, baseBefore) |
          (baseRole(q, baseAfter) << AFTER) |
          (p === ADMIN ? ADMIN_BEFORE : 0) |
          (q === ADMIN ? ADMIN_AFTER : 0);
        sheet.bytes[place - this.#from] = code;
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
        if (both !== 0) this.#set(sheet, (member >>> STATES) - this.#from, GIVEN[role * 4 + both] ?? KEEP);
      }
    }
    const last = users.at[x + 1] ?? 0;
    const edge = this.#to * (1 << TWO_ROLES);
    let k = lowerBound(users.entries, users.at[x] ?? 0, last, this.#from * (1 << TWO_ROLES));
    for (; k < last; k++) {
      const entry = users.entries[k] ?? 0;
      if (entry >= edge) break;
      const place = (entry >>> TWO_ROLES) - this.#from;
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
    const from = this.#from;
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
    for (const code of UNEQUAL) differ += counts[code] ?? 0;
    return differ;
  }

  /** Adds what differs on a content in this window, and returns for how many people. */
  #sum({ bytes, counts }: Sheet, x: number): number {
    this.visited++;
    this.#work += UNEQUAL.length;
    let differ = 0;
    for (const code of UNEQUAL) {
      const count = counts[code] ?? 0;
      if (count === 0) continue;
      differ += count;
      const at = KINDS * x + (KIND[code] ?? 0);
      this.sums[at] = (this.sums[at] ?? 0) + count;
      const role = (ROLE + 1) * x + ((code >> AFTER) & ROLE);
      this.roles[role] = (this.roles[role] ?? 0) + count;
    }
    if (differ > 0 && this.#each !== undefined) {
      this.#work += bytes.length;
      for (let left = differ, place = 0; left > 0 && place < bytes.length; place++) {
        const code = bytes[place] ?? 0;
        if ((KIND[code] ?? -1) < 0) continue;
        left--;
        this.#each(x, this.#candidates[this.#from + place] ?? 0, code & ROLE, (code >> AFTER) & ROLE);
      }
    }
    return differ;
  }
}

/** Changes no code. */
const KEEP = Uint8Array.from({ length: 256 }, (_, code) => code);

/** The rank that somebody with an organization role has where nothing else is given. */
function baseRole(role: number, base: number): number {
  if (base === ABSENT) return NOTHING;
  if (role === ADMIN || base === INHERIT) return role;
  return role === NOTHING ? NOTHING : base;
}
