/** Lists of teams: those of a member, and those with a permission on a content. */
import { fold } from "../domain/text.ts";
import { type Lists, lowerBound, MEMBERSHIP, PERMISSION, type Slice, valueIn } from "./lists.ts";
import { derived, firstId, type Model } from "./model.ts";
import { ROLE } from "./code.ts";
import { teamTitle } from "./records.ts";

/** A membership of a member. */
export interface TeamOfMember {
  readonly team: number;
  readonly isOwner: boolean;
}

/** A membership of a team. */
export interface MemberOfTeam {
  readonly member: number;
  readonly isOwner: boolean;
}

/** A permission of a team. */
export interface TeamOnContent {
  readonly team: number;
  /** The rank of the role. */
  readonly role: number;
}

/** The first team whose id is greater. */
export function teamAfter({ teams: { ids } }: Model, id: string): number {
  const found = firstId(ids, id);
  return ids[found] === id ? found + 1 : found;
}

const foldedTitles = derived(["team"], (): (string | undefined)[] => []);

export function foldedTitle(model: Model, team: number): string {
  return (foldedTitles(model)[team] ??= fold(teamTitle(model, team)));
}

/** The teams of a member, ascending; those whose folded title contains the folded `title` (docs/api.md). */
export function teamsOf(model: Model, member: number, title: string, { from, most }: Slice): TeamOfMember[] {
  const { at, entries } = model.members.teams;
  const end = at[member + 1] ?? 0;
  const wanted = fold(title);
  const found: TeamOfMember[] = [];
  for (let k = lowerBound(entries, at[member] ?? 0, end, from << MEMBERSHIP); k < end; k++) {
    const entry = entries[k] ?? 0;
    const team = entry >>> MEMBERSHIP;
    if (wanted !== "" && !foldedTitle(model, team).includes(wanted)) continue;
    found.push({ team, isOwner: (entry & 1) === 1 });
    if (found.length === most) break;
  }
  return found;
}

/** The members of a team, ascending. */
export function membersOfTeam(model: Model, team: number, { from, most }: Slice): MemberOfTeam[] {
  const { at, entries } = model.teams.members;
  const end = at[team + 1] ?? 0;
  const begin = lowerBound(entries, at[team] ?? 0, end, from);
  return Array.from(entries.subarray(begin, Math.min(end, begin + most)), (member) => ({
    member,
    isOwner: valueIn(model.members.teams, member, team, MEMBERSHIP) === 1,
  }));
}

/** From so many teams on, those of a content or a site in the order of their ids are kept. */
const MANY = 256;

const onContentsInOrder = derived(
  ["team", "collection", "space", "permission"],
  () => new Map<number, Uint32Array>(),
);
const onSitesInOrder = derived(["team", "site", "permission"], () => new Map<number, Uint32Array>());

/** The teams with a permission on a content, ascending. */
export function teamsOn(model: Model, content: number, slice: Slice): TeamOnContent[] {
  return inOrder(model.contents.teams, content, onContentsInOrder(model), slice);
}

/** The teams with a permission on a site, ascending. */
export function teamsOnSite(model: Model, site: number, slice: Slice): TeamOnContent[] {
  return inOrder(model.sites.teams, site, onSitesInOrder(model), slice);
}

/** Of list `x`, which has the weakest role first, a slice in the order of ids. */
function inOrder(
  { at, entries }: Lists,
  x: number,
  kept: Map<number, Uint32Array>,
  { from, most }: Slice,
): TeamOnContent[] {
  const teams = kept.get(x) ?? entries.slice(at[x], at[x + 1]).sort();
  if (teams.length >= MANY) kept.set(x, teams);
  const begin = lowerBound(teams, 0, teams.length, from * (ROLE + 1));
  return Array.from(teams.subarray(begin, begin + most), (entry) => ({
    team: entry >>> PERMISSION,
    role: entry & ROLE,
  }));
}
