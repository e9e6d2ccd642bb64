/** Lists of members: who has a role on a content or a site, from a member on. */
import { lengthOf, type Lists, lowerBound, PERMISSION, type Slice } from "./lists.ts";
import { ADMIN, derived, INHERIT, keptLast, type Model, NOTHING, withAncestors } from "./model.ts";
import { BY_ORGANIZATION, BY_SITE, BY_TEAM, DIRECT, ROLE } from "./code.ts";
import {
  type Access,
  accessOn,
  admins,
  paint,
  paintBase,
  paintLevel,
  paintSites,
  roleCounts,
  WIDEST,
} from "./paint.ts";
import { askedBy, levelAmong, sitesIn } from "./sites.ts";
import { spacesOfSite } from "./spaces.ts";

/** A member in a list, with the painted byte (`paint.ts`). */
export interface Hit {
  readonly member: number;
  readonly code: number;
}

/** A member in the list of a site, with the space from which the role comes. */
export interface SiteHit extends Hit {
  readonly space: number;
}

/** The users with a direct permission on a content, ascending. */
export function givenOn({ contents }: Model, content: number, slice: Slice): Hit[] {
  return givenIn(contents.users, content, slice);
}

/** The users with a permission on a site, ascending. */
export function givenOnSite({ sites }: Model, site: number, slice: Slice): Hit[] {
  return givenIn(sites.users, site, slice);
}

function givenIn({ at, entries }: Lists, x: number, { from, most }: Slice): Hit[] {
  const end = at[x + 1] ?? 0;
  const begin = lowerBound(entries, at[x] ?? 0, end, from * (ROLE + 1));
  return Array.from(entries.subarray(begin, Math.min(end, begin + most)), (entry) => ({
    member: entry >>> PERMISSION,
    code: entry & ROLE,
  }));
}

/** Everybody with an effective role on a content, ascending; with `role`, those with exactly this rank. */
export function everyoneOn(model: Model, content: number, role: number | undefined, slice: Slice): Hit[] {
  const access = accessOn(model, content);
  if (role !== undefined && wholeSheets(model).has(content))
    return inSheet(wholeSheet(model, content, access), codesOf(role, access), slice);
  const sought = { ...givenBy(model, [access]), open: openTo(model, access, role), role };
  const hits = inWindows<Hit>(model, sought, slice, (from, to, found) => {
    paint(model, access, from, to, windowSheet);
    for (let i = 0; i < to - from && found.length < slice.most; i++) {
      const code = windowSheet[i] ?? 0;
      if (role === undefined ? code !== 0 : (code & ROLE) === role) found.push({ member: from + i, code });
    }
  });
  // The role is rare, and one look over everybody answers all later pages.
  return hits ?? inSheet(wholeSheet(model, content, access), codesOf(role ?? NOTHING, access), slice);
}

/** How many members have a role on a content without any permission on it. */
function openTo(model: Model, { base }: Access, role: number | undefined): number {
  const counts = roleCounts(model);
  const members = model.members.count - (counts[NOTHING] ?? 0);
  if (base === NOTHING) return 0;
  if (role === undefined) return members;
  return base === INHERIT ? (counts[role] ?? 0) : base === role ? members : 0;
}

/** Sheets of contents that were painted for all members. */
const wholeSheets = derived(
  ["member", "teamMember", "collection", "space", "site", "siteSpace", "permission"],
  () => new Map<number, Uint8Array>(),
);
/** How many whole sheets are kept, the last used ones. */
const KEPT_SHEETS = 8;

function wholeSheet(model: Model, content: number, access: Access): Uint8Array {
  return keptLast(wholeSheets(model), content, KEPT_SHEETS, () => {
    const sheet = new Uint8Array(model.members.count);
    paint(model, access, 0, sheet.length, sheet);
    return sheet;
  });
}

/** The painted bytes of a role, by what gives it. */
function codesOf(role: number, { asked }: Access): readonly number[] {
  const codes = [role, role | BY_ORGANIZATION, role | BY_TEAM, role | DIRECT];
  return asked === undefined
    ? codes
    : [...codes, role | BY_SITE, role | BY_SITE | BY_TEAM, role | BY_SITE | DIRECT];
}

function inSheet(sheet: Uint8Array, codes: readonly number[], { from, most }: Slice): Hit[] {
  const hits: Hit[] = [];
  const next = codes.map((code) => ({ code, member: sheet.indexOf(code, from) }));
  while (hits.length < most) {
    const there = next.filter(({ member }) => member >= 0);
    const first = there.toSorted((a, b) => a.member - b.member)[0];
    if (first === undefined) break;
    hits.push({ ...first });
    first.member = sheet.indexOf(first.code, first.member + 1);
  }
  return hits;
}

const NARROWEST = 64;
/** How many more members a window has than should be enough. */
const SPARE = 1.1;

const windowSheet = new Uint8Array(WIDEST);

/** Members with a role on some contents, or with exactly the rank `role`. */
interface Sought {
  /** The contents, and the sites that these ask. */
  readonly on: Iterable<number>;
  readonly sites: Iterable<number>;
  /** How many members have it without any permission. */
  readonly open: number;
  readonly role?: number | undefined;
}

/** The contents that decide for others, and the sites that these ask. */
function givenBy(model: Model, accesses: readonly Access[]): Pick<Sought, "on" | "sites"> {
  const on = new Set<number>();
  const sites = new Set<number>();
  for (const { levels, asked } of accesses) {
    for (const x of levels) on.add(x);
    if (asked !== undefined) for (const site of sitesIn(model, asked)) sites.add(site);
  }
  return { on, sites };
}

/** After so many windows that did not fill a page, a role is rare. */
const FEW_WINDOWS = 2;

/**
 * Finds members window by window: `look` adds those of a window. A window is as wide as the lists of the contents let
 * expect, then twice as wide as the one before. Where few members are on lists and nobody has a role without one, a
 * window begins at the next member on a list. `undefined` if the role is rare.
 */
function inWindows<Found>(
  model: Model,
  sought: Sought,
  { from, most }: Slice,
  look: (from: number, to: number, found: Found[]) => void,
): Found[] | undefined {
  const { open, role } = sought;
  const { count } = model.members;
  const listed = open > count / 16 ? 0 : listedOn(model, sought);
  const isSparse = open === 0 && listed < count / 64;
  const found: Found[] = [];
  let width = Math.min(WIDEST, Math.max(NARROWEST, Math.ceil((SPARE * most * count) / (open + listed + 1))));
  for (let begin = from, windows = 0; found.length < most; windows++, width = Math.min(WIDEST, 2 * width)) {
    if (isSparse) begin = nextListed(model, sought, begin);
    if (begin >= count) break;
    if (role !== undefined && windows === FEW_WINDOWS) return undefined;
    const to = Math.min(count, begin + width);
    look(begin, to, found);
    begin = to;
  }
  return found;
}

/**
 * The lists of what is sought, and the role that their entries must have. On sites that may be any: who has the role may
 * have it by the default level of a site, because another site gives less.
 */
function* listsOf(
  { contents, sites }: Model,
  sought: Sought,
): Generator<readonly [OnOne, number, number | undefined]> {
  for (const x of sought.on) yield [contents, x, sought.role];
  for (const site of sought.sites) yield [sites, site, undefined];
}

type OnOne = Pick<Model["sites"], "teams" | "users">;

/** How many entries the lists of some contents have, with the role if one is given. */
function listedOn(model: Model, sought: Sought): number {
  const { teams } = model;
  let total = sought.role === undefined || sought.role === ADMIN ? admins(model).length : 0;
  for (const [given, x, role] of listsOf(model, sought)) {
    const end = given.teams.at[x + 1] ?? 0;
    for (let g = given.teams.at[x] ?? 0; g < end; g++) {
      const entry = given.teams.entries[g] ?? 0;
      if (role === undefined || (entry & ROLE) === role)
        total += lengthOf(teams.members, entry >>> PERMISSION);
    }
    total += lengthOf(given.users, x);
  }
  return total;
}

/** The first member from `from` on whom a list of what is sought names; the number of members if there is none. */
function nextListed(model: Model, sought: Sought, from: number): number {
  const { teams, members } = model;
  const all = admins(model);
  let next = members.count;
  if (sought.role === undefined || sought.role === ADMIN)
    next = all[lowerBound(all, 0, all.length, from)] ?? next;
  for (const [given, x, role] of listsOf(model, sought)) {
    const end = given.teams.at[x + 1] ?? 0;
    for (let g = given.teams.at[x] ?? 0; g < end; g++) {
      const entry = given.teams.entries[g] ?? 0;
      if (role !== undefined && (entry & ROLE) !== role) continue;
      const team = entry >>> PERMISSION;
      const last = teams.members.at[team + 1] ?? 0;
      const found = lowerBound(teams.members.entries, teams.members.at[team] ?? 0, last, from);
      if (found < last) next = Math.min(next, teams.members.entries[found] ?? next);
    }
    const { at, entries } = given.users;
    const last = at[x + 1] ?? 0;
    for (let k = lowerBound(entries, at[x] ?? 0, last, from * (ROLE + 1)); k < last; k++) {
      const entry = entries[k] ?? 0;
      if (role !== undefined && (entry & ROLE) !== role) continue;
      next = Math.min(next, entry >>> PERMISSION);
      break;
    }
  }
  return next;
}

/** The contents that decide for the spaces of a site, as one tree: what several spaces share is painted once. */
interface Branches {
  /** Depth first. */
  readonly contents: readonly number[];
  /** The index of the branch above; -1 where nothing is inherited. */
  readonly above: Int32Array;
  /** How many collections are around it. Whatever is painted at one depth stays until its last branch is painted. */
  readonly depth: Uint8Array;
  /** For a space of the site, its place among them; else -1. */
  readonly space: Int32Array;
  readonly base: Uint8Array;
  /** The set of sites that it asks, or -1. */
  readonly asked: Int32Array;
  readonly sites: Iterable<number>;
  readonly open: number;
}

const branches = derived(
  ["member", "collection", "space", "site", "siteSpace", "permission"],
  () => new Map<number, Branches>(),
);

function branchesOf(model: Model, site: number, spaces: Uint32Array): Branches {
  const known = branches(model).get(site);
  if (known !== undefined) return known;
  const accesses = Array.from(spaces, (space) => accessOn(model, space));
  const open = accesses.reduce((most, access) => Math.max(most, openTo(model, access, undefined)), 0);
  const { on, sites } = givenBy(model, accesses);
  const contents = Array.from(on).sort((a, b) => a - b);
  const index = new Map(contents.map((x, at) => [x, at]));
  const { parents, levels } = model.contents;
  const asked = new Int32Array(contents.length).fill(-1);
  const above = new Int32Array(contents.length).fill(-1);
  const depth = new Uint8Array(contents.length);
  const base = new Uint8Array(contents.length);
  for (const [at, x] of contents.entries()) {
    asked[at] = askedBy(model, x);
    const level = levelAmong(model, sitesIn(model, asked[at] ?? -1));
    base[at] = level === INHERIT ? (levels[x] ?? INHERIT) : level;
    if (base[at] === INHERIT) above[at] = index.get(parents[x] ?? -1) ?? -1;
    depth[at] = Array.from(withAncestors(model, x)).length - 1;
  }
  const space = new Int32Array(contents.length).fill(-1);
  for (const [place, x] of spaces.entries()) space[index.get(x) ?? 0] = place;
  const made = { contents, above, depth, space, base, asked, sites, open };
  branches(model).set(site, made);
  return made;
}

/** One sheet for each depth, as wide as the widest window. */
const branchSheets: Uint8Array[] = [];
/** For each member of a window a word with the highest role on a site; 0 for none. */
const strongest = new Uint32Array(WIDEST);
/**
 * A word has the rank of the role, then the place of the space, counted from the end, then what gives the role: of two
 * words the greater one has the higher role or, of equal ones, that of the earlier space.
 */
const RANK_IN_WORD = 29;
const REASON_IN_WORD = 5;
const MOST_SPACES = 1 << (RANK_IN_WORD - REASON_IN_WORD);
const REASONS = (1 << REASON_IN_WORD) - 1;
/** The bits of a painted byte below what gives the role. */
const RANK = 3;

/**
 * Everybody with an effective role on at least one space of a site, ascending, with the highest of these roles. Of
 * several spaces that give it, the one with the smallest id counts.
 */
export function everyoneOnSite(model: Model, site: number, slice: Slice): SiteHit[] {
  const spaces = spacesOfSite(model, site);
  const { contents: on, sites, open } = branchesOf(model, site, spaces);
  const hits = inWindows<SiteHit>(model, { on, sites, open }, slice, (from, to, found) => {
    const places = paintSite(model, site, from, to, windowSheet);
    for (let i = 0; i < to - from && found.length < slice.most; i++) {
      const code = windowSheet[i] ?? 0;
      if (code !== 0) found.push({ member: from + i, code, space: spaces[placeIn(places, i)] ?? 0 });
    }
  });
  return hits ?? [];
}

/** How many contents are painted for a site. */
export function branchesOn(model: Model, site: number): number {
  return branchesOf(model, site, spacesOfSite(model, site)).contents.length;
}

/** Of each member of a window, a word with the place of the space that gives the role. */
type Words = Uint32Array;

/** The place of a space among those of the site. */
export function placeIn(words: Words, at: number): number {
  return MOST_SPACES - 1 - (((words[at] ?? 0) >>> REASON_IN_WORD) & (MOST_SPACES - 1));
}

/**
 * Paints the highest role on a site as {@link paint} does that on a content, for at most {@link WIDEST} members. The
 * words are written anew by the next call.
 */
export function paintSite(
  model: Model,
  site: number,
  from: number,
  to: number,
  sheet: Uint8Array,
  through?: number,
): Words {
  const spaces = spacesOfSite(model, site);
  const { contents, above, depth, space, base, asked } = branchesOf(model, site, spaces);
  const length = to - from;
  strongest.fill(0, 0, length);
  for (const [at, x] of contents.entries()) {
    const branch = (branchSheets[depth[at] ?? 0] ??= new Uint8Array(WIDEST));
    const parent = above[at] ?? -1;
    if (parent < 0) paintBase(model, base[at] ?? INHERIT, from, to, branch);
    else branch.set((branchSheets[depth[parent] ?? 0] ?? branch).subarray(0, length));
    const set = asked[at] ?? -1;
    if (set >= 0) paintSites(model, set, from, to, branch, through, site);
    paintLevel(model, x, from, to, branch, through);
    const place = space[at] ?? -1;
    if (place < 0) continue;
    const last = (MOST_SPACES - 1 - place) << REASON_IN_WORD;
    for (let i = 0; i < length; i++) {
      const code = branch[i] ?? 0;
      if (code === 0) continue;
      const word = (((code & ROLE) << RANK_IN_WORD) | last | (code >>> RANK)) >>> 0;
      if (word > (strongest[i] ?? 0)) strongest[i] = word;
    }
  }
  // An organization admin is one on every space.
  const first =
    ((ADMIN << RANK_IN_WORD) | ((MOST_SPACES - 1) << REASON_IN_WORD) | (BY_ORGANIZATION >>> RANK)) >>> 0;
  const all = admins(model);
  for (let k = lowerBound(all, 0, all.length, from); spaces.length > 0 && k < all.length; k++) {
    const member = all[k] ?? 0;
    if (member >= to) break;
    strongest[member - from] = first;
  }
  for (let i = 0; i < length; i++) {
    const word = strongest[i] ?? 0;
    sheet[i] = (word >>> RANK_IN_WORD) | ((word & REASONS) << RANK);
  }
  return strongest;
}

const oneByte = new Uint8Array(1);

/** The painted byte of one member on one content. */
export function codeOn(model: Model, member: number, content: number): number {
  paint(model, accessOn(model, content), member, member + 1, oneByte);
  return oneByte[0] ?? NOTHING;
}
