/**
 * The people whose roles may differ between two states, and what the lists of both states say about them. Everything has
 * common numbers (`aligned.ts`), and says in which of the states it holds.
 */
import type { Aligned, CommonContents } from "./aligned.ts";
import { listIn, type Lists, MEMBERSHIP, packed, PERMISSION } from "./lists.ts";
import { ADMIN, findSite, INHERIT, type Model } from "./model.ts";
import { ABSENT } from "./numbering.ts";
import { ROLE } from "./code.ts";
import { askedBy, saysIn } from "./sites.ts";

/** Two states that are compared. */
export interface TwoStates {
  readonly before: Model;
  readonly after: Model;
  readonly aligned: Aligned;
}

/** The states in which an entry of a list holds: two bits. */
export const BEFORE_ONLY = 1;
export const AFTER_ONLY = 2;
export const BOTH = 3;
export const STATES = 2;
/** Two roles in one number: the rank before, and the rank after << 3. */
export const AFTER = 3;
export const TWO_ROLES = 6;

const PEOPLE_A_TURN = 20_000;
const CONTENTS_A_TURN = 2_000;

/** What a content of a state inherits, beside the default levels: the link to what is above it. */
const FROM_PARENT = 8;
const FROM_ELSEWHERE = 9;
const GONE = 10;
const GONE_WITH_PARENT = 11;

/** What content `x` inherits in a state, seen from the common parent. */
function linkOf({ contents }: Model, numbers: Int32Array, { parents }: CommonContents, x: number): number {
  const own = numbers[x] ?? ABSENT;
  const above = parents[x] ?? ABSENT;
  const parent = above === ABSENT ? ABSENT : (numbers[above] ?? ABSENT);
  if (own === ABSENT) return above !== ABSENT && parent === ABSENT ? GONE_WITH_PARENT : GONE;
  const level = contents.levels[own] ?? INHERIT;
  if (level !== INHERIT) return level;
  const real = contents.parents[own] ?? ABSENT;
  if (real === ABSENT) return INHERIT;
  return real === parent ? FROM_PARENT : FROM_ELSEWHERE;
}

/** Whether a content with this link has what its common parent has, or is absent together with it. */
function isLinked(link: number): boolean {
  return link === FROM_PARENT || link === GONE_WITH_PARENT;
}

/** The permissions of teams on each content: team << 5 | role << 2 | states, weakest first. */
export interface GivenToTeams {
  readonly at: Uint32Array;
  readonly entries: Uint32Array;
  /** Teams with a permission that one state alone has. */
  readonly touched: Uint8Array;
  /** Contents that do not inherit as before, or whose own permissions of teams differ; and all that ask sites. */
  readonly differs: Uint8Array;
  /** Contents that do not inherit from the common parent in both states. */
  readonly begins: Uint8Array;
  /** Whether some content inherits otherwise than before. */
  readonly isRebuilt: boolean;
  /** The people, by common number, whose direct permissions on sites differ. */
  readonly onSites: ReadonlySet<number>;
}

/** What sites say in one state alone. */
interface SiteDifferences {
  /** Teams and people by common numbers. */
  readonly teams: ReadonlySet<number>;
  readonly people: ReadonlySet<number>;
  /** Whether a site that says something has another level or other spaces. */
  readonly isRebuilt: boolean;
}

function siteDifferences({ before, after, aligned }: TwoStates): SiteDifferences {
  const [p, q] = [before.sites, after.sites];
  const [teams, people] = [new Set<number>(), new Set<number>()];
  let isRebuilt = false;
  const isSame = p === q && before.members === after.members && before.contents === after.contents;
  const ids = isSame ? [] : new Set([...p.ids, ...q.ids]);
  let of:
    | { readonly was: ReadonlyMap<number, number>; readonly now: ReadonlyMap<number, number> }
    | undefined;
  for (const id of ids) {
    const [i, j] = [findSite(before, id) ?? ABSENT, findSite(after, id) ?? ABSENT];
    if (!saysIn(before, i) && !saysIn(after, j)) continue;
    of ??= { was: inverseOf(aligned.people.was), now: inverseOf(aligned.people.now) };
    const { was, now } = of;
    const team = [commonOf(aligned.teams.ofWas), commonOf(aligned.teams.ofNow)] as const;
    const user = [(at: number) => was.get(at) ?? 0, (at: number) => now.get(at) ?? 0] as const;
    const space = [commonOf(aligned.contents.ofWas), commonOf(aligned.contents.ofNow)] as const;
    addDiffering(teams, entriesIn(p.teams, i, team[0]), entriesIn(q.teams, j, team[1]));
    addDiffering(people, entriesIn(p.users, i, user[0]), entriesIn(q.users, j, user[1]));
    const links = entriesIn(p.spaces, i, space[0], 0).symmetricDifference(
      entriesIn(q.spaces, j, space[1], 0),
    );
    if (links.size > 0 || (p.levels[i] ?? INHERIT) !== (q.levels[j] ?? INHERIT)) isRebuilt = true;
  }
  return { teams, people, isRebuilt };
}

/** The common number of each number of a state. */
function inverseOf(numbers: Int32Array): ReadonlyMap<number, number> {
  return new Map(Array.from(numbers, (number, common) => [number, common]));
}

function commonOf(numbers: Uint32Array): (number: number) => number {
  return (number) => numbers[number] ?? 0;
}

/** The entries of a site's list under common numbers. */
function entriesIn(
  lists: Lists,
  site: number,
  common: (number: number) => number,
  bits = PERMISSION,
): Set<number> {
  const entries = site === ABSENT ? [] : listIn(lists, site);
  const mask = (1 << bits) - 1;
  return new Set(Array.from(entries, (entry) => packed(common(entry >>> bits), bits, entry & mask)));
}

/** Adds whom an entry of one state alone is about. */
function addDiffering(into: Set<number>, was: ReadonlySet<number>, now: ReadonlySet<number>): void {
  for (const entry of was.symmetricDifference(now)) into.add(entry >>> PERMISSION);
}

/** With `needed`, of these contents only. */
export function* teamPermissions(states: TwoStates, needed?: Uint8Array): Generator<void, GivenToTeams> {
  const {
    before,
    after,
    aligned: { contents, teams },
  } = states;
  const { count, was, now } = contents;
  const at = new Uint32Array(count + 1);
  const entries = new Uint32Array(before.contents.teams.entries.length + after.contents.teams.entries.length);
  const touched = new Uint8Array(teams.count);
  const [differs, begins] = [new Uint8Array(count), new Uint8Array(count)];
  const sides = [
    { lists: before.contents.teams, numbers: was, team: teams.ofWas, states: BEFORE_ONLY },
    { lists: after.contents.teams, numbers: now, team: teams.ofNow, states: AFTER_ONLY },
  ];
  const sites = siteDifferences(states);
  for (const team of sites.teams) touched[team] = 1;
  let { isRebuilt } = sites;
  let length = 0;
  for (let x = 0; x < count; x++) {
    at[x + 1] = length;
    if (needed?.[x] === 0) continue;
    if (x % CONTENTS_A_TURN === 0) yield;
    const [then, link] = [linkOf(before, was, contents, x), linkOf(after, now, contents, x)];
    if (!isLinked(then) || !isLinked(link)) begins[x] = 1;
    if (then !== link || then >= FROM_ELSEWHERE) {
      differs[x] = 1;
      isRebuilt = true;
    }
    if (askedBy(before, was[x] ?? ABSENT) >= 0 || askedBy(after, now[x] ?? ABSENT) >= 0) differs[x] = 1;
    const holding = new Map<number, number>();
    for (const side of sides) {
      const own = side.numbers[x] ?? ABSENT;
      if (own === ABSENT) continue;
      for (let g = side.lists.at[own] ?? 0; g < (side.lists.at[own + 1] ?? 0); g++) {
        const entry = side.lists.entries[g] ?? 0;
        const permission = ((side.team[entry >>> PERMISSION] ?? 0) << PERMISSION) | (entry & ROLE);
        holding.set(permission, (holding.get(permission) ?? 0) | side.states);
      }
    }
    const sorted = Array.from(holding).sort(([a], [b]) => (a & ROLE) - (b & ROLE));
    for (const [permission, holds] of sorted) {
      entries[length++] = (permission << STATES) | holds;
      if (holds === BOTH) continue;
      touched[permission >>> PERMISSION] = 1;
      differs[x] = 1;
    }
    at[x + 1] = length;
  }
  const onSites = sites.people;
  return { at, entries: entries.slice(0, length), touched, differs, begins, isRebuilt, onSites };
}

/** The people whose role may differ somewhere: ascending common numbers. */
export function* whoMayDiffer(
  { before, after, aligned: { people, teams, contents } }: TwoStates,
  { touched, isRebuilt, onSites }: GivenToTeams,
): Generator<void, Uint32Array> {
  const found = new Uint32Array(people.count);
  let length = 0;
  const [p, q] = [before.members, after.members];
  const isTouched = touched.includes(1);
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
        !onSites.has(person) &&
        (areTeamsSame || isSameList(p.teams, i, teams.ofWas, q.teams, j, teams.ofNow, MEMBERSHIP)) &&
        (areGrantsSame ||
          isSameList(p.permissions, i, contents.ofWas, q.permissions, j, contents.ofNow, PERMISSION));
      if (isSame && !(isTouched && hasTouched(q.teams, j, teams.ofNow, touched))) continue;
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
export interface CandidateLists {
  /** Members of a team in both states. */
  readonly teams: Lists;
  /** Members of a team in one state: place << 2 | states. */
  readonly odd: Lists;
  /** Direct permissions on a content: place << 6 | role after << 3 | role before. */
  readonly users: Lists;
}

export function* listsOf(
  { before, after, aligned: { people, teams, contents } }: TwoStates,
  candidates: Uint32Array,
): Generator<void, CandidateLists> {
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
        const left = k < kEnd ? (teams.ofWas[(p.teams.entries[k] ?? 0) >>> MEMBERSHIP] ?? 0) : teams.count;
        const right = m < mEnd ? (teams.ofNow[(q.teams.entries[m] ?? 0) >>> MEMBERSHIP] ?? 0) : teams.count;
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
          pairs.set(contents.ofWas[entry >>> PERMISSION] ?? 0, entry & ROLE);
        }
      }
      if (j !== ABSENT) {
        for (let g = q.permissions.at[j] ?? 0; g < (q.permissions.at[j + 1] ?? 0); g++) {
          const entry = q.permissions.entries[g] ?? 0;
          const x = contents.ofNow[entry >>> PERMISSION] ?? 0;
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
