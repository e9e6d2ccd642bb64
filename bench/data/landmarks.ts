import { ORGANIZATION, identity } from "./identity.ts";
import type { Range } from "./layout.ts";
import { layout } from "./layout.ts";
import { everyoneTeamMember } from "./people.ts";
import type { Size } from "./sizes.ts";
import { structure } from "./structure.ts";

/** The ids of what is special in a generated organization, and of ordinary things to compare them with. */
export interface Landmarks {
  readonly organization: string;
  /** Closed space with a permission for every team (1,000 on L). */
  readonly manyTeamsSpace: string;
  /** Open space with a permission for every team. */
  readonly manyTeamsOpenSpace: string;
  /** Closed space with a direct permission for 20 % of the members (200,000 on L). */
  readonly crowdSpace: string;
  /** Closed space on which 30 % of the members carry `role` by their team and all but `keepers` hold a direct `outrankedBy`. */
  readonly sparse: {
    readonly space: string;
    readonly role: "edit";
    readonly outrankedBy: "comment";
    /** The ids of those with exactly `role`, in the order of a page. */
    readonly keepers: readonly string[];
    readonly candidates: number;
  };
  /** Site of spaces that let every ordinary member in (500 on L and M). */
  readonly openSite: string;
  /** Site of as many spaces that let in only who was given a permission there. */
  readonly closedSite: string;
  /** Site of closed spaces on which guests alone have permissions. */
  readonly guestSite: string;
  readonly ordinarySite: string;
  /** Collection without a parent over half of the spaces, at any depth. */
  readonly halfCollection: string;
  readonly ordinaryCollection: string;
  /** Ordinary spaces: one that lets members in by default, one that does not. */
  readonly ordinaryOpenSpace: string;
  readonly ordinaryClosedSpace: string;
  /** Team of 30 % of the members. */
  readonly everyoneTeam: string;
  /** Member with direct permissions on a tenth of the spaces (10,000 on L). */
  readonly heavyMember: string;
  readonly ordinaryMember: string;
  readonly admin: string;
  /** Guest with permissions on exactly three spaces. */
  readonly guest: string;
  /** Guest whose one permission is on `halfCollection`. */
  readonly halfGuest: string;
}

/** The landmarks of the organization of that size and seed, worked out without generating it. */
export function landmarks(size: Size, seed = 1): Landmarks {
  const plan = layout(size, seed);
  const ids = identity(seed);
  const tree = structure(plan);
  const everyone = everyoneTeamMember(plan);
  const keepers = Array.from({ length: plan.sparseKeepers }, (_, i) => ids.user(everyone(i)));
  return {
    organization: ORGANIZATION,
    manyTeamsSpace: ids.space(plan.manyTeamsSpace),
    manyTeamsOpenSpace: ids.space(plan.manyTeamsOpenSpace),
    crowdSpace: ids.space(plan.crowdSpace),
    sparse: {
      space: ids.space(plan.sparseSpace),
      role: "edit",
      outrankedBy: "comment",
      keepers: keepers.sort(),
      candidates: plan.everyoneTeam,
    },
    openSite: ids.site(0),
    closedSite: ids.site(1),
    guestSite: ids.site(2),
    ordinarySite: ids.site(3),
    halfCollection: ids.collection(0),
    ordinaryCollection: ids.collection(plan.counts.collections - 2),
    ordinaryOpenSpace: ids.space(first(plan.ordinarySpaces, tree.isOpen)),
    ordinaryClosedSpace: ids.space(first(plan.ordinarySpaces, (space) => tree.spaceLevel(space) === null)),
    everyoneTeam: ids.team(0),
    heavyMember: ids.user(plan.heavyMember),
    ordinaryMember: ids.user(plan.regulars.from),
    admin: ids.user(plan.admins.from),
    guest: ids.user(plan.guests.to - 1),
    halfGuest: ids.user(plan.halfGuest),
  };
}

function first(range: Range, fits: (index: number) => boolean): number {
  for (let i = range.from; i < range.to; i += 1) if (fits(i)) return i;
  throw new RangeError("nothing in the range fits");
}
