/**
 * Paints what members have on a content: one byte for each member of a window. What everybody has comes first, then the
 * levels of the ladder from the top down, in each the teams, weakest first, and the users. Later paint covers earlier
 * paint, so the nearest level decides, and on it a direct permission before a team's (docs/permissions.md). What the sites
 * of a space say comes before the space's own permissions. Organization admins come last: nothing covers them.
 */
import { BY_ORGANIZATION, BY_SITE, BY_TEAM, DIRECT, ROLE, THROUGH } from "./code.ts";
import { lengthOf, type Lists, lowerBound, MEMBERSHIP, PERMISSION } from "./lists.ts";
import { ADMIN, derived, INHERIT, type Model, NOTHING } from "./model.ts";
import { askedBy, codeOfLevel, higher, levelAmong, sitesIn } from "./sites.ts";

const VALUE = (1 << PERMISSION) - 1;

/** A content with the levels that can decide for it, nearest first, and what everybody has without them. */
export interface Access {
  /** Contents: the last one is the first whose default level does not inherit, or the topmost. */
  readonly levels: readonly number[];
  /** The default level of the last one, or the highest of the sites: {@link INHERIT} leaves everybody the organization role. */
  readonly base: number;
  /** The set of sites that the first one asks, if it asks any. */
  readonly asked?: number;
}

export function accessOn(model: Model, content: number): Access {
  const { contents } = model;
  const asked = askedBy(model, content);
  const levels: number[] = [];
  let base = asked < 0 ? INHERIT : levelAmong(model, sitesIn(model, asked));
  if (base !== INHERIT) return { levels: [content], base, asked };
  for (let x = content; x >= 0 && base === INHERIT; x = contents.parents[x] ?? -1) {
    levels.push(x);
    base = contents.levels[x] ?? INHERIT;
  }
  return asked < 0 ? { levels, base } : { levels, base, asked };
}

/** Members who are organization admins, ascending; and guests. */
export const admins = membersWith(ADMIN);
export const guests = membersWith(NOTHING);

function membersWith(role: number) {
  return derived(["member"], ({ members }) => {
    const found: number[] = [];
    for (let i = 0; i < members.count; i++) if (members.roles[i] === role) found.push(i);
    return Uint32Array.from(found);
  });
}

/** How many members have each organization role, by rank. */
export const roleCounts = derived(["member"], ({ members }) => {
  const counts = new Uint32Array(ADMIN + 1);
  for (const role of members.roles) counts[role] = (counts[role] ?? 0) + 1;
  return counts;
});

const bases = derived(["member"], (): (Uint8Array | undefined)[] => []);

/** What everybody has on a content whose last level is `base`, painted for all members; admins included. */
function paintedBase(model: Model, base: number): Uint8Array {
  const known = bases(model);
  const found = known[base];
  if (found !== undefined) return found;
  const codes = new Uint8Array(8);
  for (let role = 1; role < ADMIN; role++) codes[role] = base === INHERIT ? role | BY_ORGANIZATION : base;
  codes[ADMIN] = ADMIN | BY_ORGANIZATION;
  const painted = model.members.roles.map((role) => codes[role] ?? NOTHING);
  known[base] = painted;
  return painted;
}

/**
 * Paints members `from` up to `to` into the first `to - from` bytes of `sheet`. Marks what team `through` gives, if one is
 * named.
 */
export function paint(
  model: Model,
  access: Access,
  from: number,
  to: number,
  sheet: Uint8Array,
  through?: number,
): void {
  paintInherited(model, access, from, to, sheet, through);
  paintLevel(model, access.levels[0] ?? 0, from, to, sheet, through);
  paintAdmins(model, from, to, sheet);
}

/** What members have on a content without the permissions on it, which may cover admins. */
export function paintInherited(
  model: Model,
  { levels, base, asked }: Access,
  from: number,
  to: number,
  sheet: Uint8Array,
  through?: number,
): void {
  paintBase(model, base, from, to, sheet);
  for (let nearest = levels.length - 1; nearest > 0; nearest--)
    paintLevel(model, levels[nearest] ?? 0, from, to, sheet, through);
  if (asked !== undefined) paintSites(model, asked, from, to, sheet, through);
}

/** What everybody has. */
export function paintBase(model: Model, base: number, from: number, to: number, sheet: Uint8Array): void {
  sheet.set(paintedBase(model, base).subarray(from, to));
}

/** The permissions on one content. They cover admins, too: {@link paintAdmins} comes at the end. */
export function paintLevel(
  model: Model,
  x: number,
  from: number,
  to: number,
  sheet: Uint8Array,
  through?: number,
): void {
  paintGiven(model, model.contents, x, from, to, sheet, 0, through);
}

/** The most members that are painted at once. */
export const WIDEST = 1 << 16;
/** What some sites say, and what one of them does. */
const combined = new Uint8Array(WIDEST);
const single = new Uint8Array(WIDEST);

/**
 * What a set of sites says, for at most {@link WIDEST} members: of several sites the highest, no access lowest. Of equal ones the
 * first counts, which is `preferred` if that is among them.
 */
export function paintSites(
  model: Model,
  set: number,
  from: number,
  to: number,
  sheet: Uint8Array,
  through?: number,
  preferred?: number,
): void {
  const said = sayingOf(model, set, from, to, through, preferred);
  for (let i = 0; i < said.length; i++) {
    const code = said[i] ?? NOTHING;
    if (code !== NOTHING) sheet[i] = (code & ROLE) === NOTHING ? NOTHING : code;
  }
}

/**
 * What a set of sites says to members `from` up to `to`: bytes with {@link BY_SITE}, also for no access; 0 where all are
 * silent. The next call writes them anew.
 */
export function sayingOf(
  model: Model,
  set: number,
  from: number,
  to: number,
  through?: number,
  preferred = -1,
): Uint8Array {
  const sites = sitesIn(model, set);
  const length = to - from;
  const codes = combined.subarray(0, length).fill(NOTHING);
  const one = single.subarray(0, length);
  const add = (site: number) => {
    const byRole = Uint8Array.from({ length: 8 }, (_, role) => codeOfLevel(model, site, role));
    for (let i = 0; i < length; i++) one[i] = byRole[model.members.roles[from + i] ?? NOTHING] ?? NOTHING;
    paintGiven(model, model.sites, site, from, to, one, BY_SITE, through);
    for (let i = 0; i < length; i++) codes[i] = higher(codes[i] ?? NOTHING, one[i] ?? NOTHING);
  };
  if (sites.includes(preferred)) add(preferred);
  for (const site of sites) if (site !== preferred) add(site);
  return codes;
}

/** The permissions on a content or on a site. `flag` is painted with each of them. */
function paintGiven(
  model: Model,
  on: Pick<Model["sites"], "teams" | "users">,
  x: number,
  from: number,
  to: number,
  sheet: Uint8Array,
  flag: number,
  through: number | undefined,
): void {
  const { members, teams } = model;
  const given = lengthOf(on.teams, x);
  // In a small window it takes fewer steps to look at each member's teams than to look up each team's members.
  const memberships = (members.teams.at[to] ?? 0) - (members.teams.at[from] ?? 0);
  if (given > 0) {
    if (memberships < given * LOOK_UP && through === undefined)
      paintByMember(model, on.teams, x, from, to, sheet, flag);
    else {
      const end = on.teams.at[x + 1] ?? 0;
      for (let g = on.teams.at[x] ?? 0; g < end; g++) {
        const entry = on.teams.entries[g] ?? 0;
        const team = entry >>> PERMISSION;
        const code = flag | (entry & VALUE) | (team === through ? BY_TEAM | THROUGH : BY_TEAM);
        const last = teams.members.at[team + 1] ?? 0;
        let k = lowerBound(teams.members.entries, teams.members.at[team] ?? 0, last, from);
        for (; k < last; k++) {
          const member = teams.members.entries[k] ?? 0;
          if (member >= to) break;
          sheet[member - from] = code;
        }
      }
    }
  }
  const { at, entries } = on.users;
  const last = at[x + 1] ?? 0;
  const edge = to * (VALUE + 1);
  for (let k = lowerBound(entries, at[x] ?? 0, last, from * (VALUE + 1)); k < last; k++) {
    const entry = entries[k] ?? 0;
    if (entry >= edge) break;
    sheet[(entry >>> PERMISSION) - from] = flag | (entry & VALUE) | DIRECT;
  }
}

/** What a look-up of one team's members in a window costs, in steps over a member's teams. */
const LOOK_UP = 12;

const ranksOfTeams = derived(["team"], ({ teams }) => new Uint8Array(teams.count));

/** The permissions of teams on `x`, for each member of the window the highest. */
function paintByMember(
  model: Model,
  given: Lists,
  x: number,
  from: number,
  to: number,
  sheet: Uint8Array,
  flag: number,
): void {
  const { members } = model;
  // One more than the rank, because on a site a team may have no access.
  const ranks = ranksOfTeams(model);
  const [begin, end] = [given.at[x] ?? 0, given.at[x + 1] ?? 0];
  for (let g = begin; g < end; g++) {
    const entry = given.entries[g] ?? 0;
    ranks[entry >>> PERMISSION] = (entry & VALUE) + 1;
  }
  const { at, entries } = members.teams;
  for (let member = from; member < to; member++) {
    const last = at[member + 1] ?? 0;
    let highest = NOTHING;
    for (let k = at[member] ?? 0; k < last; k++)
      highest = Math.max(highest, ranks[(entries[k] ?? 0) >>> MEMBERSHIP] ?? NOTHING);
    if (highest !== NOTHING) sheet[member - from] = flag | (highest - 1) | BY_TEAM;
  }
  for (let g = begin; g < end; g++) ranks[(given.entries[g] ?? 0) >>> PERMISSION] = NOTHING;
}

export function paintAdmins(model: Model, from: number, to: number, sheet: Uint8Array): void {
  const found = admins(model);
  for (let k = lowerBound(found, 0, found.length, from); k < found.length; k++) {
    const member = found[k] ?? 0;
    if (member >= to) return;
    sheet[member - from] = ADMIN | BY_ORGANIZATION;
  }
}
