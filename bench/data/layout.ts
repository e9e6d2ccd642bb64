import type { Counts, Size } from "./sizes.ts";
import { SIZES } from "./sizes.ts";

/** The whole numbers from `from` up to but not including `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** How many numbers lie in `range`. */
export const width = (range: Range): number => range.to - range.from;

/** The indexes of the special cases. Ids are scattered, so these ranges do not show in the order of ids. */
export interface Layout {
  readonly size: Size;
  readonly seed: number;
  readonly counts: Counts;
  /** The member with direct permissions on a tenth of the spaces (10,000 on L). */
  readonly heavyMember: number;
  /** Organization admins, 0.1 % of the members. */
  readonly admins: Range;
  /** Members with an organization role below admin. */
  readonly regulars: Range;
  /** All of the above: the members who may be in a team. */
  readonly insiders: Range;
  /** Guests, 1 % of the members, each with permissions on exactly three spaces. */
  readonly guests: Range;
  /** A guest with one permission, on the collection that lies over half of the spaces. */
  readonly halfGuest: number;
  /** Members of team 0, 30 % of all. */
  readonly everyoneTeam: number;
  /** The number of direct permissions on `directSpace`, 20 % of the members. */
  readonly direct: number;
  /** Spaces on which the heavy member has a direct permission. */
  readonly heavySpaces: number;
  /** Closed, with a permission for every team. */
  readonly manyTeamsSpace: number;
  /** The same, but open: members without any of the teams have access by their organization role. */
  readonly manyTeamsOpenSpace: number;
  readonly directSpace: number;
  /** Closed; team 0 may edit, and all of its members but `sparseKeepers` have a direct `comment`. */
  readonly sparseSpace: number;
  readonly sparseKeepers: number;
  /** Closed spaces on which guests alone have permissions; together they are the guest site. */
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
