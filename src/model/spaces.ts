/** Lists of spaces: those of a member, by creation; those of a site; those that a team reaches. */
import { createdIn, spaceOfKey, sortKeyOf, contentKey, idOf } from "../domain/content.ts";
import { type Lists, MEMBERSHIP, PERMISSION, listIn, lowerBound, valueIn } from "./lists.ts";
import { ADMIN, derived, INHERIT, keptLast, keyOf, type Model, NOTHING } from "./model.ts";
import { ROLE } from "./code.ts";
import { accessOn } from "./paint.ts";
import {
  askedBy,
  holderOf,
  levelAmong,
  ownOnSites,
  type Said,
  saidTo,
  sitesIn,
  sitesOfTeam,
} from "./sites.ts";

export interface SpaceHit {
  readonly space: number;
  /** The rank of the role. */
  readonly role: number;
}

/** The kinds of records that move numbers of contents. */
const CONTENTS = ["collection", "space"] as const;
/** The kinds of records that say what contents inherit. */
const INHERITED = [...CONTENTS, "site", "siteSpace"] as const;

/** The spaces of a site, in the order of their ids. */
export function spacesOfSite({ sites: { spaces } }: Model, site: number): Uint32Array {
  return listIn(spaces, site);
}

/** The spaces directly in each collection, in the order of their ids. */
export const spacesInCollections = derived(CONTENTS, ({ contents }): Lists => {
  const { byKey, count, isSpace, parents } = contents;
  const at = new Uint32Array(count + 1);
  const isInside = (x: number) => isSpace[x] === 1 && (parents[x] ?? -1) >= 0;
  const inside = byKey.filter(isInside);
  for (const x of inside) at[(parents[x] ?? 0) + 1] = (at[(parents[x] ?? 0) + 1] ?? 0) + 1;
  for (let x = 0; x < count; x++) at[x + 1] = (at[x + 1] ?? 0) + (at[x] ?? 0);
  // Both orders are stable.
  return { at, entries: inside.sort((a, b) => (parents[a] ?? 0) - (parents[b] ?? 0)) };
});

/** All spaces by creation, then by id, and the place of each content in that order. */
export const byCreation = derived(CONTENTS, (model) => {
  const { contents } = model;
  const order = contents.byKey.filter((x) => contents.isSpace[x] === 1);
  // The order by key is that by id, and the sort is stable.
  order.sort((a, b) => (contents.created[a] ?? 0) - (contents.created[b] ?? 0));
  const places = new Uint32Array(contents.count);
  for (const [place, x] of order.entries()) places[x] = place;
  return { order, places };
});

/** The sort key of a space, with which a page identifier says where a walk goes on. */
export function sortKeyIn(model: Model, space: number): string {
  return sortKeyOf(model.contents.created[space] ?? 0, idOf(keyOf(model, space)));
}

/** The place in {@link byCreation} that comes after a sort key: upwards, or downwards if `newestFirst`. */
export function placeAfter(model: Model, key: string, newestFirst: boolean): number {
  const { order } = byCreation(model);
  const place = placeFrom(model, createdIn(key), contentKey("space", spaceOfKey(key)));
  if (newestFirst) return place - 1;
  const found = order[place];
  return found !== undefined && sortKeyIn(model, found) === key ? place + 1 : place;
}

/** The first place of a space that is not before one created at `created` with this key. */
function placeFrom(model: Model, created: number, key: string): number {
  const { order } = byCreation(model);
  const { contents } = model;
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const x = order[middle] ?? 0;
    const ahead = (contents.created[x] ?? 0) - created;
    if (ahead < 0 || (ahead === 0 && keyOf(model, x) < key)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The places of the spaces that are open to members without a permission, ascending. */
const openPlaces = derived(INHERITED, (model) => {
  const { order } = byCreation(model);
  return Uint32Array.from(order.keys()).filter(
    (place) => accessOn(model, order[place] ?? 0).base !== NOTHING,
  );
});

const deleted = derived(CONTENTS, (): { places?: Uint32Array } => ({}));
const MARK = Buffer.from('"deletedAt":');
const TEXTS_A_TURN = 5_000;

/** The places in {@link byCreation} of deleted spaces, ascending. */
export function* deletedPlaces(model: Model): Generator<void, Uint32Array> {
  const known = deleted(model).places;
  if (known !== undefined) return known;
  const { bytes, begins, ends } = model.contents.texts;
  const found: number[] = [];
  for (const [place, x] of byCreation(model).order.entries()) {
    const text = bytes.subarray(begins[x], ends[x]);
    // The mark may also occur in a title.
    if (text.includes(MARK) && "deletedAt" in JSON.parse(text.toString())) found.push(place);
    if (place % TEXTS_A_TURN === TEXTS_A_TURN - 1) yield;
  }
  return (deleted(model).places = Uint32Array.from(found));
}

/** What one member's own permissions and teams give, by content; filled for one list at a time. */
const ownRanks = derived(CONTENTS, ({ contents }) => new Uint8Array(contents.count));

/**
 * The spaces on which a member has an effective role, at most `most`, from `place` on: upwards, or downwards if
 * `newestFirst`.
 */
export function spacesOf(
  model: Model,
  member: number,
  {
    place,
    most,
    newestFirst,
  }: { readonly place: number; readonly most: number; readonly newestFirst: boolean },
): SpaceHit[] {
  const own = ownRanks(model);
  const { contents, ranks, said, places } = keptLast(ownAccesses(model), member, KEPT, () =>
    ownAccess(model, member),
  );
  for (const [at, x] of contents.entries()) own[x] = ranks[at] ?? NOTHING;
  const { order } = byCreation(model);
  const hits: SpaceHit[] = [];
  const add = (at: number): void => {
    const space = order[at] ?? 0;
    const role = roleWith(model, member, own, said, space);
    if (role !== NOTHING) hits.push({ space, role });
  };
  const step = newestFirst ? -1 : 1;
  if (places === undefined) {
    for (let at = place; at >= 0 && at < order.length && hits.length < most; at += step) add(at);
  } else {
    const from = lowerBound(places, 0, places.length, newestFirst ? place + 1 : place);
    for (let at = newestFirst ? from - 1 : from; hits.length < most; at += step) {
      const next = places[at];
      if (next === undefined) break;
      add(next);
    }
  }
  for (const x of contents) own[x] = NOTHING;
  return hits;
}

/** What a member's own permissions and teams give. */
interface OwnAccess {
  /** The contents on which they give a rank, and these ranks. */
  readonly contents: readonly number[];
  readonly ranks: Uint8Array;
  readonly said: Said;
  /** The places of the spaces on which the member may have a role, ascending; `undefined` if these are many. */
  readonly places: Uint32Array | undefined;
}

const ownAccesses = derived(
  ["member", "teamMember", "team", "permission", ...INHERITED],
  () => new Map<number, OwnAccess>(),
);
/** Of how many members it is kept. */
const KEPT = 64;

function ownAccess(model: Model, member: number): OwnAccess {
  const own = ownRanks(model);
  const contents = fillOwn(model, member, own);
  const ranks = Uint8Array.from(contents, (x) => own[x] ?? NOTHING);
  for (const x of contents) own[x] = NOTHING;
  const said = saidTo(model, holderOf(model, member));
  return { contents, ranks, said, places: candidates(model, member, contents) };
}

/** Writes the ranks that a member's teams and direct permissions give, and returns the contents with one. */
export function fillOwn({ members, teams }: Model, member: number, own: Uint8Array): number[] {
  const touched: number[] = [];
  const { at, entries } = members.teams;
  for (let k = at[member] ?? 0; k < (at[member + 1] ?? 0); k++) {
    const team = (entries[k] ?? 0) >>> MEMBERSHIP;
    for (let g = teams.permissions.at[team] ?? 0; g < (teams.permissions.at[team + 1] ?? 0); g++) {
      const entry = teams.permissions.entries[g] ?? 0;
      const x = entry >>> PERMISSION;
      if (own[x] === NOTHING) touched.push(x);
      own[x] = Math.max(own[x] ?? NOTHING, entry & ROLE);
    }
  }
  const direct = members.permissions;
  for (let g = direct.at[member] ?? 0; g < (direct.at[member + 1] ?? 0); g++) {
    const entry = direct.entries[g] ?? 0;
    const x = entry >>> PERMISSION;
    if (own[x] === NOTHING) touched.push(x);
    own[x] = entry & ROLE;
  }
  return touched;
}

/**
 * The rank of the effective role on a space, with what the member's own permissions and teams give in `own`, and what sites
 * say to the member.
 */
function roleWith(
  { contents, members }: Model,
  member: number,
  own: Uint8Array,
  said: Said,
  space: number,
): number {
  const organization = members.roles[member] ?? NOTHING;
  if (organization === ADMIN) return ADMIN;
  for (let x = space; x >= 0; x = contents.parents[x] ?? -1) {
    const given = own[x] ?? NOTHING;
    if (given !== NOTHING) return given;
    const level = contents.levels[x] ?? INHERIT;
    if (level !== INHERIT) return organization === NOTHING ? NOTHING : level;
    const answer = x === space ? said(x) : NOTHING;
    if (answer !== NOTHING) return answer & ROLE;
  }
  return organization;
}

/** Beyond so many spaces, looking at every space in turn fills a page as soon. */
const FEW = 4096;

function candidates(model: Model, member: number, touched: readonly number[]): Uint32Array | undefined {
  const { contents, members } = model;
  const organization = members.roles[member] ?? NOTHING;
  if (organization === ADMIN) return undefined;
  const open = organization === NOTHING ? new Uint32Array(0) : openPlaces(model);
  const sites = [...ownOnSites(model, holderOf(model, member)).keys()];
  let total = open.length;
  for (const x of touched) total += (contents.ends[x] ?? x) - x;
  for (const site of sites) total += spacesOfSite(model, site).length;
  if (total > FEW) return undefined;
  const { places } = byCreation(model);
  const found = new Set(open);
  for (const x of touched)
    for (let y = x; y < (contents.ends[x] ?? x); y++)
      if (contents.isSpace[y] === 1) found.add(places[y] ?? 0);
  for (const site of sites) for (const x of spacesOfSite(model, site)) found.add(places[x] ?? 0);
  return Uint32Array.from(found).sort();
}

/** Whether a content inherits from the collection around it: no default level, of its own or of its sites, ends that. */
export function inheritsFromAbove(model: Model, content: number): boolean {
  if (model.contents.levels[content] !== INHERIT) return false;
  return levelAmong(model, sitesIn(model, askedBy(model, content))) === INHERIT;
}

/** How many spaces inherit from each content without a break; a space itself is one of them. */
const inheritingSpaces = derived(INHERITED, (model) => {
  const { count, isSpace, parents } = model.contents;
  const spaces = Uint32Array.from(isSpace);
  // What is inside a content comes after it.
  for (let x = count - 1; x > 0; x--) {
    const parent = parents[x] ?? -1;
    if (parent >= 0 && inheritsFromAbove(model, x)) spaces[parent] = (spaces[parent] ?? 0) + (spaces[x] ?? 0);
  }
  return spaces;
});

const reached = derived([...INHERITED, "team", "permission"], () => new Map<number, number>());

/**
 * On how many spaces a team has a permission: on the space itself, on a site that the space asks, or on a collection from
 * which the space inherits without a break (docs/permissions.md). The level of the collection itself does not matter.
 */
export function spacesReached(model: Model, team: number): number {
  const known = reached(model).get(team);
  if (known !== undefined) return known;
  const { at, entries } = model.teams.permissions;
  let spaces = 0;
  for (let g = at[team] ?? 0; g < (at[team + 1] ?? 0); g++) {
    const x = (entries[g] ?? 0) >>> PERMISSION;
    if (!inheritsFromTeam(model, team, x)) spaces += inheritingSpaces(model)[x] ?? 0;
  }
  spaces += reachedBySites(model, team);
  reached(model).set(team, spaces);
  return spaces;
}

/** By how many spaces sites change what collections make a team reach: a role adds spaces, no access takes them away. */
function reachedBySites(model: Model, team: number): number {
  const said = saidTo(model, { role: NOTHING, teams: [team] });
  const seen = new Set<number>();
  let more = 0;
  for (const entry of sitesOfTeam(model, team)) {
    for (const space of spacesOfSite(model, entry >>> PERMISSION)) {
      if (seen.has(space) || askedBy(model, space) < 0) continue;
      seen.add(space);
      if (valueIn(model.teams.permissions, team, space, PERMISSION) !== undefined) continue;
      more += Number((said(space) & ROLE) !== NOTHING) - Number(inheritsFromTeam(model, team, space));
    }
  }
  return more;
}

/** Whether a content inherits from one on which the team has a permission, which counts the content's spaces, too. */
function inheritsFromTeam(model: Model, team: number, content: number): boolean {
  const { contents, teams } = model;
  for (let x = content; x >= 0 && inheritsFromAbove(model, x);) {
    x = contents.parents[x] ?? -1;
    if (x >= 0 && valueIn(teams.permissions, team, x, PERMISSION) !== undefined) return true;
  }
  return false;
}
