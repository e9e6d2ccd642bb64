/**
 * What sites say about access to the spaces that are in them (docs/permissions.md). Spaces that are in the same sites share
 * one set of sites, so what these say is worked out once.
 */
import { lengthOf, listIn, MEMBERSHIP, PERMISSION } from "./lists.ts";
import { derived, INHERIT, type Model, NOTHING, type Sites } from "./model.ts";
import { BY_SITE, BY_TEAM, DIRECT, ROLE, THROUGH } from "./code.ts";

/** The kinds of records on which it depends what spaces ask. */
export const ASKED = ["site", "siteSpace", "permission", "collection", "space"] as const;

interface SiteSets {
  /** The set of each content; -1 for a content that is in no site that says something. Empty if there are none. */
  readonly of: Int32Array;
  /** Sites that say something, ascending. */
  readonly sets: readonly Uint32Array[];
}

const NO_SITES: SiteSets = { of: new Int32Array(0), sets: [] };

/** Whether a site of a model says anything about access; no site has a negative number. */
export function saysIn({ sites }: Model, site: number): boolean {
  return site >= 0 && says(sites, site);
}

function says(sites: Sites, site: number): boolean {
  return sites.levels[site] !== INHERIT || lengthOf(sites.teams, site) + lengthOf(sites.users, site) > 0;
}

const siteSets = derived(ASKED, ({ sites, contents }): SiteSets => {
  const on = new Map<number, number[]>();
  for (let site = 0; site < sites.count; site++) {
    if (!says(sites, site)) continue;
    for (const space of listIn(sites.spaces, site)) {
      const known = on.get(space);
      if (known === undefined) on.set(space, [site]);
      else known.push(site);
    }
  }
  if (on.size === 0) return NO_SITES;
  const of = new Int32Array(contents.count).fill(-1);
  const numbers = new Map<string, number>();
  const sets: Uint32Array[] = [];
  for (const [space, all] of on) {
    const name = all.join();
    const number = numbers.get(name) ?? sets.push(Uint32Array.from(all)) - 1;
    numbers.set(name, number);
    of[space] = number;
  }
  return { of, sets };
});

const NONE = new Uint32Array(0);

/** The sites that a space is in and that say something, ascending. */
export function sitesAround(model: Model, content: number): Uint32Array {
  const { of, sets } = siteSets(model);
  return sets[of[content] ?? -1] ?? NONE;
}

/** The set of sites that a content asks: a space with the default level `inherit`; -1 for none. */
export function askedBy(model: Model, content: number): number {
  const set = siteSets(model).of[content] ?? -1;
  return set < 0 || model.contents.levels[content] !== INHERIT ? -1 : set;
}

/** The sites of a set. */
export function sitesIn(model: Model, set: number): Uint32Array {
  return siteSets(model).sets[set] ?? NONE;
}

/** The highest default level of a set of sites, which ends the climb; {@link INHERIT} if none of them has one. */
export function levelAmong({ sites }: Model, among: Uint32Array): number {
  let highest = INHERIT;
  for (const site of among) {
    const level = sites.levels[site] ?? INHERIT;
    if (level !== INHERIT && (highest === INHERIT || level > highest)) highest = level;
  }
  return highest;
}

/** The permissions on sites by the other side: sites, packed with ranks. */
type OnSites = ReadonlyMap<number, readonly number[]>;

const EVERY_SITE = ["site", "permission", "member", "team"] as const;
const ofTeams = derived(EVERY_SITE, ({ sites }) => bySubject(sites, sites.teams));
const ofMembers = derived(EVERY_SITE, ({ sites }) => bySubject(sites, sites.users));

function bySubject({ count }: Sites, lists: Sites["teams"]): OnSites {
  const found = new Map<number, number[]>();
  for (let site = 0; site < count; site++) {
    for (const entry of listIn(lists, site)) {
      const subject = entry >>> PERMISSION;
      const on = (site << PERMISSION) | (entry & ROLE);
      const known = found.get(subject);
      if (known === undefined) found.set(subject, [on]);
      else known.push(on);
    }
  }
  return found;
}

/** The sites on which a team has a permission, packed with the rank, 0 for no access. */
export function sitesOfTeam(model: Model, team: number): readonly number[] {
  return ofTeams(model).get(team) ?? [];
}

/** The sites on which a member has a direct permission, packed with the rank, 0 for no access. */
export function sitesOfMember(model: Model, member: number): readonly number[] {
  return ofMembers(model).get(member) ?? [];
}

/** Somebody to whom sites say something: `direct` is the member with their direct permissions on contents. */
export interface Holder {
  /** The rank of the organization role. */
  readonly role: number;
  readonly teams: Iterable<number>;
  readonly direct?: number | undefined;
  /** The direct permissions on sites, packed as {@link sitesOfMember} has them. */
  readonly onSites?: readonly number[];
}

export function holderOf(model: Model, member: number): Holder {
  const { members } = model;
  const teams = Array.from(listIn(members.teams, member), (entry) => entry >>> MEMBERSHIP);
  return {
    role: members.roles[member] ?? NOTHING,
    teams,
    direct: member,
    onSites: sitesOfMember(model, member),
  };
}

/** What the sites of a space say to somebody: a painted byte, with {@link BY_SITE} also for no access; 0 if all are silent. */
export type Said = (content: number) => number;

export const SILENT: Said = () => NOTHING;

/** Finds what sites say to somebody. What the permissions of team `through` give is marked, if one is named. */
export function saidTo(model: Model, holder: Holder, through?: number): Said {
  const { sets } = siteSets(model);
  if (sets.length === 0) return SILENT;
  const own = ownOnSites(model, holder, through);
  const codes = sets.map((sites) => highestOf(model, sites, own, holder.role));
  return (content) => codes[askedBy(model, content)] ?? NOTHING;
}

/** What one set of sites says to somebody. */
export function saidBy(model: Model, holder: Holder, set: number): number {
  return highestOf(model, sitesIn(model, set), ownOnSites(model, holder), holder.role);
}

/** What one site says to somebody. */
export function saidAlone(model: Model, holder: Holder, site: number): number {
  return ownOnSites(model, holder).get(site) ?? codeOfLevel(model, site, holder.role);
}

function highestOf(
  model: Model,
  sites: Uint32Array,
  own: ReadonlyMap<number, number>,
  organization: number,
): number {
  let best: number = NOTHING;
  for (const site of sites) best = higher(best, own.get(site) ?? codeOfLevel(model, site, organization));
  return best;
}

/** What the permissions of teams, and direct ones, give somebody on sites. */
export function ownOnSites(
  model: Model,
  { teams, onSites = [] }: Holder,
  through?: number,
): ReadonlyMap<number, number> {
  const own = new Map<number, number>();
  for (const team of teams) {
    const by = BY_SITE | BY_TEAM | (team === through ? THROUGH : 0);
    for (const entry of sitesOfTeam(model, team)) {
      const site = entry >>> PERMISSION;
      own.set(site, higher(own.get(site) ?? NOTHING, by | (entry & ROLE)));
    }
  }
  for (const entry of onSites) own.set(entry >>> PERMISSION, BY_SITE | DIRECT | (entry & ROLE));
  return own;
}

/** What the default level of a site says to somebody with an organization role. */
export function codeOfLevel({ sites }: Model, site: number, organization: number): number {
  const level = sites.levels[site] ?? INHERIT;
  if (level === INHERIT) return NOTHING;
  return BY_SITE | (organization === NOTHING ? NOTHING : level);
}

/** Of two painted bytes the one that says more, no access less than every role; of equal ones the first. */
export function higher(first: number, second: number): number {
  if (second === NOTHING) return first;
  return first === NOTHING || (second & ROLE) > (first & ROLE) ? second : first;
}
