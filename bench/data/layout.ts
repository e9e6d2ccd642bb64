import { type Counts, SIZES, type Size } from "./sizes.ts";

/** The whole numbers from `from` up to but not including `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The number of whole numbers in `range`. */
export const width = (range: Range): number => range.to - range.from;

/** The indexes of the special cases. Ids look random, so these ranges do not show in the order of ids. */
export interface Layout {
  readonly size: Size;
  readonly seed: number;
  readonly counts: Counts;
  /** The member with direct permissions on a tenth of the spaces (10,000 in size L). */
  readonly heavyMember: number;
  /** Organization admins, 0.1 % of the members. */
  readonly admins: Range;
  /** Members with an organization role below admin. */
  readonly regulars: Range;
  /** The heavy member, the admins and the regulars: all members who may be in a team. */
  readonly insiders: Range;
  /** Guests, 1 % of the members, each with permissions on exactly three spaces. */
  readonly guests: Range;
  /** A guest whose only permission is on the collection that contains half of the spaces. */
  readonly halfGuest: number;
  /** The number of members of team 0: 30 % of all. */
  readonly everyoneTeam: number;
  /** The number of direct permissions on `directSpace`: 20 % of the members. */
  readonly direct: number;
  /** The number of spaces on which the heavy member has a direct permission. */
  readonly heavySpaces: number;
  /** A closed space with a permission for every team. */
  readonly manyTeamsSpace: number;
  /** An open space with a permission for every team: members in no team have access by their organization role. */
  readonly manyTeamsOpenSpace: number;
  readonly directSpace: number;
  /**
   * A closed space. Team 0 has `edit`, and all of its members except `sparseKeepers` have a direct permission
   * `comment`.
   */
  readonly sparseSpace: number;
  readonly sparseKeepers: number;
  /** The closed spaces of the guest site, on which only guests have permissions. */
  readonly guestSpaces: Range;
  readonly openSiteSpaces: Range;
  readonly closedSiteSpaces: Range;
  readonly ordinarySpaces: Range;
}

/** The indexes of the special cases in the organization of a size and seed. */
export function layout(size: Size, seed: number): Layout {
  const counts = SIZES[size];
  const admins = Math.ceil(counts.members / 1_000);
  const guests = counts.members / 100;
  const insiders = counts.members - guests - 1;
  const site = Math.min(500, counts.spaces / 4);
  const guestSpaces = { from: 4, to: 4 + Math.min(10, counts.spaces / 50) };
  const openSiteSpaces = { from: guestSpaces.to, to: guestSpaces.to + site };
  const closedSiteSpaces = { from: openSiteSpaces.to, to: openSiteSpaces.to + site };
  return {
    size,
    seed,
    counts,
    heavyMember: 0,
    admins: { from: 1, to: 1 + admins },
    regulars: { from: 1 + admins, to: insiders },
    insiders: { from: 0, to: insiders },
    guests: { from: insiders, to: insiders + guests },
    halfGuest: counts.members - 1,
    everyoneTeam: Math.round(counts.members * 0.3),
    direct: Math.round(counts.members * 0.2),
    heavySpaces: counts.spaces / 10,
    manyTeamsSpace: 0,
    manyTeamsOpenSpace: 1,
    directSpace: 2,
    sparseSpace: 3,
    sparseKeepers: 10,
    guestSpaces,
    openSiteSpaces,
    closedSiteSpaces,
    ordinarySpaces: { from: closedSiteSpaces.to, to: counts.spaces },
  };
}
