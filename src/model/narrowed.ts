/**
 * Lists narrowed by filters, and members by name: found in turns, once for each revision, and kept. Whoever asks at the
 * same time shares the work.
 */
import { RECORD_KINDS } from "../domain/record-change.ts";
import { tidy } from "../domain/search.ts";
import { fold } from "../domain/text.ts";
import { cut } from "../domain/title-key.ts";
import { isAmong, lowerBound, MEMBERSHIP, Words } from "./lists.ts";
import { derived, derivedInTurns, findMember, findTeam, memberId, type Model, NOTHING } from "./model.ts";
import { having, namesAt, namesIn, namesOf } from "./names.ts";
import { sortedInTurns } from "./order.ts";
import { ROLE } from "./code.ts";
import { membersOf, type Sheet, sheetOf } from "./sheets.ts";
import { foldedTitle } from "./teams.ts";
import { textOf, TextWriter } from "./texts.ts";

/** What passes filters: numbers, or with `byName` their places there; ascending. */
export interface Narrowed {
  readonly numbers: Uint32Array;
  readonly byName?: ByName | undefined;
  /** The whole list of a site. */
  readonly sheet?: Sheet | undefined;
}

/** The members in the order of their names, and the place of each. */
export interface ByName {
  readonly order: Uint32Array;
  readonly places: Uint32Array;
}

export interface MemberFilter {
  /** Only who has a role on this site. */
  readonly site?: number;
  /** A rank: of the role on the site, or the organization role. */
  readonly role?: number | undefined;
  /** Only whose display name or e-mail address contains this text, both folded. */
  readonly search: string;
  /** The id of a team: only its members. */
  readonly team?: string | undefined;
  readonly byName: boolean;
}

export interface TeamFilter {
  readonly title: string;
  /** The id of a user: only teams that this user owns. */
  readonly owner: string | undefined;
}

/** How many are looked at until others get a turn: a millisecond or two. */
const NUMBERS_A_TURN = 50_000;
const NAMES_A_TURN = 1_000;

/** The members that pass a filter; `undefined` if the filter lets everybody pass, in the order of ids. */
export function* membersNarrowed(model: Model, filter: MemberFilter): Generator<void, Narrowed | undefined> {
  const { site, role, search, team, byName } = filter;
  if (role === undefined && search === "" && team === undefined && !byName) return undefined;
  return {
    numbers: yield* membersPassing(model, { ...filter, search: fold(search) }),
    byName: byName ? yield* membersByName(model) : undefined,
    sheet: site === undefined ? undefined : yield* siteSheet(model, site),
  };
}

/** The teams that pass a filter; `undefined` if the filter lets all pass. */
export function* teamsNarrowed(
  model: Model,
  { title, owner }: TeamFilter,
): Generator<void, Narrowed | undefined> {
  if (title === "" && owner === undefined) return undefined;
  return { numbers: yield* teamsPassing(model, { title: fold(title), owner }) };
}

const membersPassing = keptInTurns(16, function* (model, filter: MemberFilter): Generator<void, Uint32Array> {
  const { site, role, search, team } = filter;
  if (filter.byName) {
    const all = yield* membersPassing(model, { ...filter, byName: false });
    const { places } = yield* membersByName(model);
    return all.map((member) => places[member] ?? 0).sort();
  }
  const codes = site === undefined ? undefined : (yield* siteSheet(model, site)).codes;
  const found = search === "" ? undefined : yield* membersWith(model, search);
  const number = team === undefined ? undefined : findTeam(model, team);
  const inTeam = number === undefined ? new Uint32Array(0) : membersOf(model, number);
  return yield* passing(model.members.count, team === undefined ? found : inTeam, (member) => {
    if (codes !== undefined && codes[member] === NOTHING) return false;
    if (role !== undefined && (((codes ?? model.members.roles)[member] ?? NOTHING) & ROLE) !== role)
      return false;
    return team === undefined || found === undefined || isAmong(found, member);
  });
});

const teamsPassing = keptInTurns(16, function* (model, { title, owner }: TeamFilter) {
  const { at, entries } = model.members.teams;
  const member = owner === undefined ? undefined : findMember(model, owner);
  const mine = member === undefined ? [] : Array.from(entries.subarray(at[member], at[member + 1]));
  const owned = mine.filter((entry) => (entry & 1) === 1).map((entry) => entry >>> MEMBERSHIP);
  return yield* passing(model.teams.count, owner === undefined ? undefined : owned, (each) =>
    foldedTitle(model, each).includes(title),
  );
});

/** Of some numbers, or of all up to `count`, those that are accepted. */
function* passing(
  count: number,
  among: ArrayLike<number> | undefined,
  accepts: (number: number) => boolean,
): Generator<void, Uint32Array> {
  const found = new Words();
  const length = among?.length ?? count;
  for (let at = 0; at < length; at++) {
    const number = among === undefined ? at : (among[at] ?? 0);
    if (accepts(number)) found.push(number);
    if (at % NUMBERS_A_TURN === NUMBERS_A_TURN - 1) yield;
  }
  return found.array();
}

/** The members of whom the folded display name or e-mail address contains a folded text. */
function* membersWith(model: Model, folded: string): Generator<void, Uint32Array> {
  const { members } = model;
  const names = yield* namesOf.member(model);
  const tidied = tidy(folded);
  // The names have single spaces.
  const isExact = !/[\s\p{Cc}]/u.test(folded);
  const has = (member: number) =>
    isExact
      ? namesAt(names, member).some((name) => name.includes(tidied))
      : namesIn(textOf(members.profiles, member)).some((name) => fold(name).includes(folded));
  const found = new Words();
  // Behind an @, the names have numbers of domains. Of a text of spaces alone, nothing is left to look for.
  const isInNames =
    tidied !== "" && !tidied.includes("@") && !names.domains.some((domain) => domain.includes(tidied));
  if (isInNames) {
    yield* having(names, tidied, (member) => has(member) && found.push(member));
    return found.array();
  }
  for (let member = 0; member < members.count; member++) {
    if (has(member)) found.push(member);
    if (member % NAMES_A_TURN === NAMES_A_TURN - 1) yield;
  }
  return found.array();
}

/** The whole list of a site: everybody with a role on one of its spaces. */
const siteSheet = keptInTurns(4, (model, site: number) => sheetOf(model, { of: "site", site }));

/** How many UTF-16 units of a folded name decide the order. More would not fit in a page identifier. */
const SORTED = 1_000;

/** The sort key by name: the folded name, then the id. No name has a U+0000. */
export function nameKey(model: Model, member: number): string {
  const [name = ""] = namesIn(textOf(model.members.profiles, member));
  return `${cut(fold(name), SORTED)}\0${memberId(model, member)}`;
}

const membersByName = derivedInTurns(["member", "user"], function* (model): Generator<void, ByName> {
  const { count } = model.members;
  const writer = new TextWriter();
  for (let member = 0; member < count; member++) {
    writer.add(nameKey(model, member));
    if (member % NAMES_A_TURN === NAMES_A_TURN - 1) yield;
  }
  const { bytes, begins, ends } = writer.texts();
  const order = yield* sortedInTurns(Uint32Array.from(begins.keys()), (a, b) =>
    bytes.compare(bytes, begins[b], ends[b], begins[a], ends[a]),
  );
  const places = new Uint32Array(count);
  for (let place = 0; place < count; place++) places[order[place] ?? 0] = place;
  return { order, places };
});

/** The first place in the order by name whose key is not before a key. */
function placeFrom(model: Model, { order }: ByName, key: string): number {
  const wanted = Buffer.from(key);
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (Buffer.compare(Buffer.from(nameKey(model, order[middle] ?? 0)), wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** At most `most` members behind a key, or the first ones, by name; upwards, or downwards if `descending`. */
export function nextByName(
  model: Model,
  { numbers: places, byName }: Narrowed & { readonly byName: ByName },
  {
    after,
    most,
    descending,
  }: {
    readonly after: string | undefined;
    readonly most: number;
    readonly descending: boolean;
  },
): number[] {
  const { order } = byName;
  let from = descending ? places.length : 0;
  if (after !== undefined) {
    const place = placeFrom(model, byName, after);
    const isThere = place < order.length && nameKey(model, order[place] ?? 0) === after;
    from = lowerBound(places, 0, places.length, isThere && !descending ? place + 1 : place);
  }
  const part = descending
    ? places.subarray(Math.max(0, from - most), from).toReversed()
    : places.subarray(from, from + most);
  return Array.from(part, (place) => order[place] ?? 0);
}

/** At most `most` of the numbers, from `from` on. */
export function nextOf({ numbers }: Narrowed, { from, most }: { from: number; most: number }): number[] {
  const begin = lowerBound(numbers, 0, numbers.length, from);
  return Array.from(numbers.subarray(begin, begin + most));
}

/** As {@link derivedInTurns}, for each of several keys; those of the last `most` keys are kept. */
function keptInTurns<Key, Made>(
  most: number,
  make: (model: Model, key: Key) => Generator<void, Made>,
): (model: Model, key: Key) => Generator<void, Made> {
  const known = derived(
    RECORD_KINDS,
    () => new Map<string, { work?: Generator<void, Made>; made?: readonly [Made] }>(),
  );
  return function* (model, key) {
    const states = known(model);
    const name = JSON.stringify(key);
    const state = states.get(name) ?? { work: make(model, key) };
    states.delete(name);
    states.set(name, state);
    if (states.size > most) for (const oldest of states.keys()) if (states.delete(oldest)) break;
    while (state.made === undefined) {
      const step = state.work?.next();
      if (step?.done !== true) {
        yield;
        continue;
      }
      state.made = [step.value];
      delete state.work;
    }
    return state.made[0];
  };
}
