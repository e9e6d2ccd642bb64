import { ORGANIZATION, identity } from "./identity.ts";
import type { Range } from "./layout.ts";
import { layout } from "./layout.ts";
import { everyoneTeamMember } from "./people.ts";
import type { Size } from "./sizes.ts";
import { structure } from "./structure.ts";

/** The ids of the special cases of a generated organization, and of ordinary subjects to compare them with. */
export interface Landmarks {
  readonly organization: string;
  /** Closed space with a permission for every team (1,000 on L). */
  readonly manyTeamsSpace: string;
  /** Open space with a permission for every team. */
  readonly manyTeamsOpenSpace: string;
  /** Closed space with a direct permission for 20 % of the members (200,000 on L). */
  readonly directSpace: string;
  /** Closed space on which a team gives 30 % of the members `role`, and all but `keepers` have a direct `outrankedBy`. */
  readonly sparse: {
    readonly space: string;
    readonly role: "edit";
    readonly outrankedBy: "comment";
    /** The ids of the members with exactly `role`, in page order. */
    readonly keepers: readonly string[];
    readonly candidates: number;
  };
  /** Site of spaces that are open to every ordinary member (500 on L and M). */
  readonly openSite: string;
  /** Site of as many closed spaces. */
  readonly closedSite: string;
  /** Site of closed spaces on which guests alone have permissions. */
  readonly guestSite: string;
  readonly ordinarySite: string;
  /** Collection without a parent over half of the spaces, at any depth. */
  readonly halfCollection: string;
  readonly ordinaryCollection: string;
  /** Ordinary spaces: an open one and a closed one. */
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

/** The special cases of the organization of a size and seed, computed without generating it. */
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
    directSpace: ids.space(plan.directSpace),
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
