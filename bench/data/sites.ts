import { ORGANIZATION, identity } from "./identity.ts";
import { type Layout, width } from "./layout.ts";
import { hash, mulberry32, permutation, pick, type Random } from "./random.ts";
import type { Role } from "./structure.ts";
import { contentTitle } from "./words.ts";

const SITE = 53;
const SITE_SPACE = 54;
const SAYS = 56;
const SAYS_TEAM = 57;
const SAYS_USER = 58;

const LEVELS: readonly (Role | null)[] = [null, "read", "read", "comment"];
const ROLES: readonly (Role | null)[] = ["read", "comment", "edit", "edit", "review", "admin", null];

/**
 * The spaces of a site. Site 0 has only open spaces, site 1 only closed ones, site 2 the guests' spaces; every other
 * site has 2 to 40 ordinary spaces.
 */
export function siteSpaces(plan: Layout, site: number): Iterable<number> {
  if (site === 0) return numbers(plan.openSiteSpaces);
  if (site === 1) return numbers(plan.closedSiteSpaces);
  if (site === 2) return numbers(plan.guestSpaces);
  const random = mulberry32(hash(plan.seed, SITE, site));
  const scatter = permutation(width(plan.ordinarySpaces), hash(plan.seed, SITE_SPACE, site));
  const many = 2 + Math.floor(random() * 39);
  return Array.from({ length: many }, (_, i) => plan.ordinarySpaces.from + scatter(i));
}

/** What a site says; teams and users are named by their index. */
interface Said {
  readonly level: Role | null | undefined;
  readonly teams: readonly (readonly [team: number, role: Role | null])[];
  readonly users: readonly (readonly [user: number, role: Role | null])[];
}

const NOTHING: Said = { level: undefined, teams: [], users: [] };

/**
 * What a site says: in sizes M and L, half of the sites beyond the special ones have permissions, and a third of these a
 * default level.
 */
export function saidBySite(plan: Layout, site: number): Said {
  if (plan.size === "S" || site < 4 || site % 2 === 1) return NOTHING;
  const random = mulberry32(hash(plan.seed, SAYS, site));
  const team = permutation(plan.counts.teams, hash(plan.seed, SAYS_TEAM, site));
  const user = permutation(width(plan.regulars), hash(plan.seed, SAYS_USER, site));
  return {
    level: site % 6 === 0 ? pick(random, LEVELS) : undefined,
    teams: given(random, 2, 6, team),
    users: given(random, 5, 40, (i) => plan.regulars.from + user(i)),
  };
}

/** The spaces of sites that say something. */
export function spacesOfSpeakingSites(plan: Layout): Set<number> {
  const speaking = Array.from({ length: plan.counts.sites }, (_, site) => site).filter(
    (site) => saidBySite(plan, site) !== NOTHING,
  );
  return new Set(speaking.flatMap((site) => [...siteSpaces(plan, site)]));
}

/** The number of permissions on sites. */
export function sitePermissions(plan: Layout): number {
  let count = 0;
  for (let site = 0; site < plan.counts.sites; site += 1) {
    const { teams, users } = saidBySite(plan, site);
    count += teams.length + users.length;
  }
  return count;
}

/** Per site, one `site` line, one `siteSpace` line for each of its spaces, and its permissions. */
export function* siteLines(plan: Layout): Generator<string> {
  const ids = identity(plan.seed);
  for (let i = 0; i < plan.counts.sites; i += 1) {
    const site = ids.site(i);
    const title = contentTitle(mulberry32(hash(plan.seed, SITE + 2, i)));
    const { level: defaultLevel, teams, users } = saidBySite(plan, i);
    yield JSON.stringify({ object: "site", id: site, organization: ORGANIZATION, title, defaultLevel });
    for (const space of siteSpaces(plan, i)) {
      yield `{"object":"siteSpace","site":"${site}","space":"${ids.space(space)}"}`;
    }
    const line = (to: object, permission: Role | null) =>
      JSON.stringify({ object: "permission", site, ...to, permission });
    for (const [team, role] of teams) yield line({ team: ids.team(team) }, role);
    for (const [user, role] of users) yield line({ user: ids.user(user) }, role);
  }
}

function given(random: Random, least: number, most: number, grantee: (index: number) => number) {
  const count = least + Math.floor(random() * (most - least + 1));
  return Array.from({ length: count }, (_, i) => [grantee(i), pick(random, ROLES)] as const);
}

function* numbers({ from, to }: { from: number; to: number }): Generator<number> {
  for (let i = from; i < to; i += 1) yield i;
}
