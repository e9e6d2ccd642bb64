/** Who differs between two states, summed up: by person, by content, and in the whole organization (docs/past.md). */
import type { ChangedRecord } from "../domain/changed-record.ts";
import type { ContentKey } from "../domain/content.ts";
import { DIRECTIONS } from "../domain/difference.ts";
import { type DifferenceFilter, isOfSome, keptDirection } from "../domain/difference-filter.ts";
import { compareIds } from "../domain/id.ts";
import { type Role, type RoleCounts, ROLES } from "../domain/role.ts";
import type { Person } from "../domain/why.ts";
import { align } from "./aligned.ts";
import { teamPermissions, whoMayDiffer } from "./candidates.ts";
import {
  Climbs,
  commonKey,
  type Comparison,
  findCommon,
  idOfBoth,
  isApart,
  isGuest,
  type OfBoth,
  personOf,
} from "./comparison.ts";
import {
  kindsBy,
  kindsFor,
  type Manner,
  type Visit,
  type Visitor,
  type Walk,
  walkOver,
} from "./differences.ts";
import { findMember, type Model, NOTHING, organizationRole, withAncestors } from "./model.ts";
import { ABSENT } from "./numbering.ts";
import { personIn } from "./records.ts";
import { rolesOf } from "./roles.ts";
import { type Finding, OwnCauses, Records, SharedCauses, Totals } from "./summary-causes.ts";

/** On how many contents a user had and has each role, of those on which the user differs. */
interface DifferingRoles {
  readonly contents: number;
  readonly had: RoleCounts;
  readonly has: RoleCounts;
}

/** A user who joined or left, or whose organization role changed. `undefined` means not a member, `null` a guest. */
export interface PersonDifference extends DifferingRoles {
  readonly user: Person;
  readonly before: Role | null | undefined;
  readonly after: Role | null | undefined;
  readonly record: ChangedRecord;
}

/**
 * The differences of effective roles on one content, without those of users with a {@link PersonDifference}: of these,
 * only newcomers count, on contents where their role is not what their organization role or a default level gives.
 */
export interface ContentDifference {
  readonly content: ContentKey;
  /** How many users differ, in the order of {@link DIRECTIONS}. */
  readonly counts: readonly number[];
  /** At most `MOST_CAUSES`, in the order of causes. Contents with the same ones share the list. */
  readonly causes: readonly ChangedRecord[];
}

/** Receives the fraction done, from 0 to 1. */
type Progress = (part: number) => void;

/** The user with this id in both states. */
export function userOf({ before, after }: Comparison, id: string): OfBoth {
  return { was: findMember(before, id) ?? ABSENT, now: findMember(after, id) ?? ABSENT };
}

/** Calls `use` with each content, by common number, on which a user differs and passes the filter, and both ranks. */
export function eachContentOf(
  comparison: Comparison,
  user: OfBoth,
  use: (content: number, had: number, has: number) => void,
): void {
  const { before, after, aligned, filter } = comparison;
  const { count, was, now } = aligned.contents;
  const had = user.was === ABSENT ? undefined : rolesOf(before, user.was);
  const has = user.now === ABSENT ? undefined : rolesOf(after, user.now);
  const isOfGuest = isGuest(comparison, user);
  for (let x = 0; x < count; x++) {
    // What one state does not have is at -1, and so out of range.
    const held = had?.[was[x] ?? ABSENT] ?? NOTHING;
    const holds = has?.[now[x] ?? ABSENT] ?? NOTHING;
    if (held !== holds && keptDirection(filter, held, holds, isOfGuest) !== undefined) use(x, held, holds);
  }
}

/** The users who joined or left, or whose organization role changed, by user id; one after the other. */
export function* peopleApart(comparison: Comparison): Generator<PersonDifference | undefined> {
  const { before, after, changes, filter } = comparison;
  const ids = [...changes.people.keys()].sort(compareIds);
  for (const id of ids) {
    const record = changes.people.get(id);
    const user = userOf(comparison, id);
    const known = user.now === ABSENT ? before : after;
    const number = user.now === ABSENT ? user.was : user.now;
    if (record === undefined || number === ABSENT) continue;
    const [had, has] = [noRoles(), noRoles()];
    let contents = 0;
    eachContentOf(comparison, user, (_, held, holds) => {
      contents++;
      had[held] = (had[held] ?? 0) + 1;
      has[holds] = (has[holds] ?? 0) + 1;
    });
    if (contents === 0 && isOfSome(filter)) {
      yield undefined;
      continue;
    }
    yield {
      user: personIn(known, number),
      before: roleIn(before, user.was),
      after: roleIn(after, user.now),
      contents,
      had: roleCounts(had),
      has: roleCounts(has),
      record,
    };
  }
}

function roleIn(model: Model, member: number): Role | null | undefined {
  return member === ABSENT ? undefined : organizationRole(model, member);
}

/** Counts by rank, with that of no access. */
function noRoles(): number[] {
  return [0, ...ROLES.map(() => 0)];
}

function roleCounts([
  ,
  read = 0,
  comment = 0,
  edit = 0,
  review = 0,
  create = 0,
  admin = 0,
]: readonly number[]): RoleCounts {
  return { read, comment, edit, review, create, admin };
}

/** The contents with these keys that a state has, as marks by common number. */
export function marked(comparison: Comparison, keys: Iterable<ContentKey>): Uint8Array {
  const marks = new Uint8Array(comparison.aligned.contents.count);
  for (const key of keys) {
    const content = findCommon(comparison, key);
    if (content !== undefined) marks[content] = 1;
  }
  return marks;
}

/** These contents with everything around them in either state. */
export function withAround({ before, after, aligned }: Comparison, contents: Uint8Array): Uint8Array {
  const { was, now, ofWas, ofNow } = aligned.contents;
  const all = contents.slice();
  for (let x = 0; x < contents.length; x++) {
    if (contents[x] === 0) continue;
    const [p, q] = [was[x] ?? ABSENT, now[x] ?? ABSENT];
    if (p !== ABSENT) for (const above of withAncestors(before, p)) all[ofWas[above] ?? 0] = 1;
    if (q !== ABSENT) for (const above of withAncestors(after, q)) all[ofNow[above] ?? 0] = 1;
  }
  return all;
}

interface Summed {
  /** Only these contents. */
  readonly among?: Iterable<ContentKey> | undefined;
  /** Without newcomers, too. */
  readonly isOfOthers?: boolean;
  readonly progress?: Progress | undefined;
  readonly manner?: Manner;
}

/** The contents on which roles differ, as a {@link ContentDifference} says: collections first, each kind by id. */
export function* contentDifferences(
  comparison: Comparison,
  { among, isOfOthers = false, progress, manner }: Summed = {},
): Generator<void, ContentDifference[]> {
  const { aligned, filter } = comparison;
  const contents = among && marked(comparison, among);
  const given = yield* teamPermissions(comparison, contents && withAround(comparison, contents));
  const { shared, own } = yield* divided(comparison, yield* whoMayDiffer(comparison, given));
  const kinds = kindsFor(filter);
  const totals = new Totals(aligned.contents.count, DIRECTIONS.length);
  const finding = {
    comparison,
    records: new Records(comparison),
    totals,
    climbs: new Climbs(comparison),
    kinds,
  };
  let done = 0;
  for (const [people, visitor] of [
    [shared, new SharedCauses(finding)],
    [own, new OwnCauses(finding)],
  ] as const) {
    const before = done;
    const told = (part: number) => progress?.((before + part * people.length) / (shared.length + own.length));
    const walk = yield* walkOver(comparison, given, people, {
      contents,
      kinds,
      visitor,
      progress: told,
      manner,
    });
    yield* walk.run();
    done += people.length;
  }
  if (!isOfOthers) yield* countNewcomers(finding, contents, manner);
  return yield* listed(finding);
}

const PEOPLE_A_TURN = 20_000;

/** The people who count on contents, apart from newcomers: those with changed records of their own, and all others. */
function* divided(
  comparison: Comparison,
  candidates: Uint32Array,
): Generator<void, { readonly shared: Uint32Array; readonly own: Uint32Array }> {
  const { changes, filter } = comparison;
  const [shared, own] = [candidates.slice(), candidates.slice()];
  let [others, owners] = [0, 0];
  for (const [place, person] of candidates.entries()) {
    if (place % PEOPLE_A_TURN === PEOPLE_A_TURN - 1) yield;
    const both = personOf(comparison, person);
    if (isApart(comparison, both) || (filter.guests === true && !isGuest(comparison, both))) continue;
    if (changes.own.size > 0 && changes.own.has(idOfBoth(comparison, both))) own[owners++] = person;
    else shared[others++] = person;
  }
  return { shared: shared.slice(0, others), own: own.slice(0, owners) };
}

/**
 * Counts newcomers on contents where something is given to them: they differ from a member who has nothing but their
 * organization role, in the state after.
 */
function* countNewcomers(
  finding: Finding,
  contents: Uint8Array | undefined,
  manner: Manner | undefined,
): Generator<void> {
  const { comparison } = finding;
  const { before, after, aligned, changes, filter } = comparison;
  const newcomers: number[] = [];
  for (const id of changes.people.keys()) {
    const user = userOf(comparison, id);
    if (user.was !== ABSENT || user.now === ABSENT) continue;
    if (filter.guests !== true || isGuest(comparison, user)) newcomers.push(user.now);
  }
  if (newcomers.length === 0) return;
  const nothing = { at: new Uint32Array(after.members.count + 1), entries: new Uint32Array(0) };
  const silent = { at: new Uint32Array(after.sites.count + 1), entries: nothing.entries };
  const usual: Model = {
    ...after,
    members: { ...after.members, teams: nothing, permissions: nothing },
    sites: { ...after.sites, teams: silent, users: silent },
  };
  const states = { before: usual, after, aligned: yield* align(usual, after) };
  const { people } = states.aligned;
  const kinds = kindsBy((held, holds) => (isExceptional(filter, held, holds) ? GAINED : -1));
  const visitor = new OwnCauses({
    ...finding,
    kinds,
    // Contents of the later state have the same common numbers in both comparisons.
    comparison: {
      ...comparison,
      before,
      aligned: { ...aligned, people: { ...people, was: people.was.map(() => ABSENT) } },
    },
  });
  const wanted = { contents: contents?.subarray(0, after.contents.count), kinds, visitor, manner };
  const given = yield* teamPermissions(states);
  yield* (yield* walkOver(states, given, Uint32Array.from(newcomers).sort(), wanted)).run();
}

const GAINED = DIRECTIONS.indexOf("gained");

/** Whether a newcomer with a role that passes the filter has it by something else than what is `usual`. */
export function isExceptional(filter: DifferenceFilter, usual: number, has: number): boolean {
  return has !== usual && has !== NOTHING && keptDirection(filter, NOTHING, has, true) !== undefined;
}

function* listed({ comparison, records, totals }: Finding): Generator<void, ContentDifference[]> {
  const found: ContentDifference[] = [];
  const lists = new Map<string, ChangedRecord[]>();
  for (const [content, places] of totals.causes) {
    const name = places.join(" ");
    const causes = lists.get(name) ?? places.flatMap((place) => records.all[place] ?? []);
    lists.set(name, causes);
    found.push({ content: commonKey(comparison, content), counts: totals.of(content), causes });
    if (found.length % CONTENTS_A_TURN === 0) yield;
  }
  return found.sort((a, b) => compareIds(a.content, b.content));
}

const CONTENTS_A_TURN = 2_000;

/**
 * Counts people who differ on any content, in the order of {@link DIRECTIONS}: a person counts once per direction. The
 * counts grow while the work goes on.
 */
export class DifferingPeople implements Visitor {
  readonly counts = DIRECTIONS.map(() => 0);
  readonly #kinds = kindsFor({});
  /** The kinds for which each person of the window is counted, and how many people for each kind. */
  #seen = new Uint8Array(0);
  readonly #inWindow = DIRECTIONS.map(() => 0);

  *work(comparison: Comparison): Generator<void> {
    const given = yield* teamPermissions(comparison);
    const candidates = yield* whoMayDiffer(comparison, given);
    yield* (yield* walkOver(comparison, given, candidates, { visitor: this })).run();
  }

  open({ from, to }: Walk): void {
    this.#seen = new Uint8Array(to - from);
    this.#inWindow.fill(0);
  }

  visit({ isFresh, isOwn, differ, sheet, counts }: Visit): number {
    // Whoever differs on another content differs alike where the difference begins.
    if ((!isFresh && !isOwn) || !this.#mayBeNew(counts)) return 1;
    let place = 0;
    for (let left = differ; left > 0; place++) {
      const kind = this.#kinds[sheet[place] ?? 0] ?? -1;
      if (kind < 0) continue;
      left--;
      const seen = this.#seen[place] ?? 0;
      if ((seen & (1 << kind)) !== 0) continue;
      this.#seen[place] = seen | (1 << kind);
      this.counts[kind] = (this.counts[kind] ?? 0) + 1;
      this.#inWindow[kind] = (this.#inWindow[kind] ?? 0) + 1;
    }
    return place;
  }

  /** Whether not everybody in the window is counted for each of the kinds that a content has. */
  #mayBeNew(counts: Int32Array): boolean {
    for (const [code, kind] of this.#kinds.entries()) {
      const isThere = kind >= 0 && (counts[code] ?? 0) > 0;
      if (isThere && (this.#inWindow[kind] ?? 0) < this.#seen.length) return true;
    }
    return false;
  }
}
