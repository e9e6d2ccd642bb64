import { ORGANIZATION, identity } from "./identity.ts";
import { type Range, layout } from "./layout.ts";
import { everyoneTeamMember } from "./people.ts";
import { spacesOfSpeakingSites } from "./sites.ts";
import type { Size } from "./sizes.ts";
import { structure } from "./structure.ts";

/** The ids of the special cases of a generated organization, and of ordinary subjects to compare with these. */
export interface Landmarks {
  readonly organization: string;
  /** A closed space with a permission for every team (1,000 in size L). */
  readonly manyTeamsSpace: string;
  /** An open space with a permission for every team. */
  readonly manyTeamsOpenSpace: string;
  /** A closed space with a direct permission for 20 % of the members (200,000 in size L). */
  readonly directSpace: string;
  /**
   * A closed space on which a team gives 30 % of the members `role`; all of these except `keepers` also have a direct
   * permission with `outrankedBy`, which decides.
   */
  readonly sparse: {
    readonly space: string;
    readonly role: "edit";
    readonly outrankedBy: "comment";
    /** The ids of the members whose effective role is `role`, in page order. */
    readonly keepers: readonly string[];
    readonly candidates: number;
  };
  /** A site of spaces that are open to every ordinary member (500 in sizes L and M). */
  readonly openSite: string;
  /** A site of as many closed spaces as `openSite` has open ones. */
  readonly closedSite: string;
  /** A site of closed spaces on which only guests have permissions. */
  readonly guestSite: string;
  readonly ordinarySite: string;
  /** A collection without a parent that contains half of the spaces, at any depth. */
  readonly halfCollection: string;
  readonly ordinaryCollection: string;
  readonly ordinaryOpenSpace: string;
  readonly ordinaryClosedSpace: string;
  /** A team of 30 % of the members. */
  readonly everyoneTeam: string;
  /** A member with direct permissions on a tenth of the spaces (10,000 in size L). */
  readonly heavyMember: string;
  readonly ordinaryMember: string;
  readonly admin: string;
  /** A guest with permissions on exactly three spaces. */
  readonly guest: string;
  /** A guest whose only permission is on `halfCollection`. */
  readonly halfGuest: string;
}

/** The special cases of the organization of a size and seed. Computes them without generating the organization. */
export function landmarks(size: Size, seed = 1): Landmarks {
  const plan = layout(size, seed);
  const ids = identity(seed);
  const tree = structure(plan);
  const spoken = spacesOfSpeakingSites(plan);
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
    ordinaryOpenSpace: ids.space(
      first(plan.ordinarySpaces, (space) => tree.isOpen(space) && !spoken.has(space)),
    ),
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
