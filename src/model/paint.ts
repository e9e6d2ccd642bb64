/**
 * Paints what members have on a content: one byte for each member of a window. What everybody has comes first, then the
 * levels of the ladder from the top down, in each the teams, weakest first, and the users. Later paint covers earlier
 * paint, so the nearest level decides, and on it a direct permission before a team's (docs/permissions.md). Organization
 * admins come last: nothing covers them.
 */
import { lengthOf, lowerBound, MEMBERSHIP, PERMISSION } from "./lists.ts";
import { ADMIN, derived, INHERIT, type Model, NOTHING } from "./model.ts";

/** The bits of a painted byte: the rank of the role, and what gives it; no other bit if a default level does. */
export const ROLE = 7;
export const BY_ORGANIZATION = 8;
export const BY_TEAM = 16;
export const DIRECT = 32;
/** Beside {@link BY_TEAM}: the team is the one that was asked for. */
export const THROUGH = 64;

const VALUE = (1 << PERMISSION) - 1;

/** A content with the levels that can decide for it, nearest first, and what everybody has without them. */
export interface Access {
  /** Contents: the last one is the first whose default level does not inherit, or the topmost. */
  readonly levels: readonly number[];
  /** The default level of the last one: {@link INHERIT} leaves everybody the organization role. */
  readonly base: number;
}

export function accessOn({ contents }: Model, content: number): Access {
  const levels: number[] = [];
  let base = INHERIT;
  for (let x = content; x >= 0 && base === INHERIT; x = contents.parents[x] ?? -1) {
    levels.push(x);
    base = contents.levels[x] ?? INHERIT;
  }
  return { levels, base };
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
  { levels, base }: Access,
  from: number,
  to: number,
  sheet: Uint8Array,
  through?: number,
): void {
  paintBase(model, base, from, to, sheet);
  for (let nearest = levels.length - 1; nearest >= 0; nearest--)
    paintLevel(model, levels[nearest] ?? 0, from, to, sheet, through);
  paintAdmins(model, from, to, sheet);
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
  const { contents, members, teams } = model;
  const given = lengthOf(contents.teams, x);
  // In a small window it takes fewer steps to look at each member's teams than to look up each team's members.
  const memberships = (members.teams.at[to] ?? 0) - (members.teams.at[from] ?? 0);
  if (given > 0) {
    if (memberships < given * LOOK_UP && through === undefined) paintByMember(model, x, from, to, sheet);
    else {
      const end = contents.teams.at[x + 1] ?? 0;
      for (let g = contents.teams.at[x] ?? 0; g < end; g++) {
        const entry = contents.teams.entries[g] ?? 0;
        const team = entry >>> PERMISSION;
        const code = (entry & VALUE) | (team === through ? BY_TEAM | THROUGH : BY_TEAM);
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
  const { at, entries } = contents.users;
  const last = at[x + 1] ?? 0;
  const edge = to * (VALUE + 1);
  for (let k = lowerBound(entries, at[x] ?? 0, last, from * (VALUE + 1)); k < last; k++) {
    const entry = entries[k] ?? 0;
    if (entry >= edge) break;
    sheet[(entry >>> PERMISSION) - from] = (entry & VALUE) | DIRECT;
  }
}

/** What a look-up of one team's members in a window costs, in steps over a member's teams. */
const LOOK_UP = 12;

const ranksOfTeams = derived(["team"], ({ teams }) => new Uint8Array(teams.count));

/** The permissions of teams on `x`, for each member of the window the highest. */
function paintByMember(model: Model, x: number, from: number, to: number, sheet: Uint8Array): void {
  const { contents, members } = model;
  const ranks = ranksOfTeams(model);
  const [begin, end] = [contents.teams.at[x] ?? 0, contents.teams.at[x + 1] ?? 0];
  for (let g = begin; g < end; g++) {
    const entry = contents.teams.entries[g] ?? 0;
    ranks[entry >>> PERMISSION] = entry & VALUE;
  }
  const { at, entries } = members.teams;
  for (let member = from; member < to; member++) {
    const last = at[member + 1] ?? 0;
    let highest = NOTHING;
    for (let k = at[member] ?? 0; k < last; k++)
      highest = Math.max(highest, ranks[(entries[k] ?? 0) >>> MEMBERSHIP] ?? NOTHING);
    if (highest !== NOTHING) sheet[member - from] = highest | BY_TEAM;
  }
  for (let g = begin; g < end; g++) ranks[(contents.teams.entries[g] ?? 0) >>> PERMISSION] = NOTHING;
}

export function paintAdmins(model: Model, from: number, to: number, sheet: Uint8Array): void {
  const found = admins(model);
  for (let k = lowerBound(found, 0, found.length, from); k < found.length; k++) {
    const member = found[k] ?? 0;
    if (member >= to) return;
    sheet[member - from] = ADMIN | BY_ORGANIZATION;
  }
}
