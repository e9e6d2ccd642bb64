import type { Facts } from "./facts.ts";
import {
  type FurtherListing,
  filtersOf,
  furtherListings,
  furtherPath,
  isFurther,
  type MemberFilter,
  type SiteFilter,
  type TeamFilter,
} from "./further.ts";
import { byBytes } from "./order.ts";
import { ROLES, type Role, type SnapshotRecord } from "./records.ts";

/** A listing: an endpoint of the interface with its path parameters and filters. */
export type Listing =
  | { endpoint: 1 | 2; space: string }
  | { endpoint: 3; space: string; role?: Role }
  | { endpoint: 4 | 5; collection: string }
  | { endpoint: 6; collection: string; role?: Role }
  | { endpoint: 7; user: string; order?: "asc" | "desc" }
  | ({ endpoint: 8; site: string } & SiteFilter)
  | { endpoint: 9; user: string; title?: string }
  | ({ endpoint: 10 } & MemberFilter)
  | ({ endpoint: 11 } & TeamFilter)
  | { endpoint: 12 }
  | { endpoint: 13; nested?: "true" }
  | FurtherListing;

/** Whether the path of a listing has an organization. */
export function namesOrganization({ endpoint }: Pick<Listing, "endpoint">): boolean {
  return endpoint >= 7 && endpoint !== 17;
}

/** The URL path of a listing with its query; ids and values are percent-encoded. */
export function path(organization: string, listing: Listing): string {
  const encode = encodeURIComponent;
  if (isFurther(listing)) return furtherPath(organization, listing);
  switch (listing.endpoint) {
    case 1:
      return `/v1/spaces/${encode(listing.space)}/permissions/users`;
    case 2:
      return `/v1/spaces/${encode(listing.space)}/permissions/teams`;
    case 3:
      return `/v1/spaces/${encode(listing.space)}/permissions/aggregate${query("role", listing.role)}`;
    case 4:
      return `/v1/collections/${encode(listing.collection)}/permissions/teams`;
    case 5:
      return `/v1/collections/${encode(listing.collection)}/permissions/users`;
    case 6:
      return `/v1/collections/${encode(listing.collection)}/permissions/aggregate${query("role", listing.role)}`;
    case 7:
      return `/v1/orgs/${encode(organization)}/members/${encode(listing.user)}/spaces${query("order", listing.order)}`;
    case 8:
      return `/v1/orgs/${encode(organization)}/sites/${encode(listing.site)}/permissions/aggregate${queryOf(listing)}`;
    case 9:
      return `/v1/orgs/${encode(organization)}/members/${encode(listing.user)}/teams${query("title", listing.title)}`;
    case 10:
      return `/v1/orgs/${encode(organization)}/members${queryOf(listing)}`;
    case 11:
      return `/v1/orgs/${encode(organization)}/teams${queryOf(listing)}`;
    case 12:
      return `/v1/orgs/${encode(organization)}/spaces`;
    case 13:
      return `/v1/orgs/${encode(organization)}/collections${query("nested", listing.nested)}`;
  }
}

/** The query with the filters of endpoint 8, 10 or 11. */
function queryOf(listing: Extract<Listing, { endpoint: 8 | 10 | 11 }>): string {
  const filters = Object.entries({ ...listing, endpoint: undefined, site: undefined }).flatMap(
    ([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]),
  );
  return filters.length === 0 ? "" : `?${filters.join("&")}`;
}

function query(name: string, value: string | undefined): string {
  return value === undefined ? "" : `?${name}=${encodeURIComponent(value)}`;
}

/** Every listing that exists in an organization, with every role, both orders and some titles. */
export function listingsOf(facts: Facts): Listing[] {
  const titles = someTitles(facts);
  const filters = filtersOf(facts);
  return [
    ...[...facts.spaces.keys()].flatMap((space): Listing[] => [
      { endpoint: 1, space },
      { endpoint: 2, space },
      { endpoint: 3, space },
      ...ROLES.map((role): Listing => ({ endpoint: 3, space, role })),
    ]),
    ...[...facts.collections.keys()].flatMap((collection): Listing[] => [
      { endpoint: 4, collection },
      { endpoint: 5, collection },
      { endpoint: 6, collection },
      ...ROLES.map((role): Listing => ({ endpoint: 6, collection, role })),
    ]),
    ...[...facts.sites.keys()].flatMap((site): Listing[] => [
      { endpoint: 8, site },
      ...filters.site.map((filter): Listing => ({ endpoint: 8, site, ...filter })),
    ]),
    ...[...facts.members.keys()].flatMap((user): Listing[] => [
      { endpoint: 7, user },
      { endpoint: 7, user, order: "asc" },
      { endpoint: 7, user, order: "desc" },
      { endpoint: 9, user },
      ...titles.map((title): Listing => ({ endpoint: 9, user, title })),
    ]),
    { endpoint: 10 },
    ...filters.members.map((filter): Listing => ({ endpoint: 10, ...filter })),
    { endpoint: 11 },
    ...filters.teams.map((filter): Listing => ({ endpoint: 11, ...filter })),
    { endpoint: 12 },
    { endpoint: 13 },
    { endpoint: 13, nested: "true" },
    ...furtherListings(facts),
  ];
}

/**
 * Listings of subjects that the organization does not have. For each path: an unused id, and ids of other kinds of
 * subjects and of other organizations in the import.
 */
export function absentFrom(facts: Facts, records: readonly SnapshotRecord[]): Listing[] {
  const used = new Set(records.flatMap((record) => ("id" in record ? record.id : [])));
  const users = new Set(records.flatMap((record) => (record.object === "user" ? record.id : [])));
  return [
    ...without(used, facts.spaces).flatMap((space) =>
      ([1, 2, 3] as const).map((endpoint): Listing => ({ endpoint, space })),
    ),
    ...without(used, facts.collections).flatMap((collection) =>
      ([4, 5, 6, 17] as const).map((endpoint): Listing => ({ endpoint, collection })),
    ),
    ...without(used, facts.sites).flatMap((site) =>
      ([8, 16, 18, 19] as const).map((endpoint): Listing => ({ endpoint, site })),
    ),
    ...without(used, facts.teams).map((team): Listing => ({ endpoint: 15, team })),
    ...without(users, facts.members).flatMap((user) =>
      ([7, 9] as const).map((endpoint): Listing => ({ endpoint, user })),
    ),
  ];
}

function without(names: Set<string>, there: ReadonlyMap<string, unknown>): string[] {
  const others = [...names].filter((id) => !there.has(id)).sort(byBytes);
  return ["absent-from-all", ...others.slice(0, 3)];
}

/** Title filters that distinguish case folding from similar rules; some are made from titles of teams. */
function someTitles(facts: Facts): string[] {
  const known = [...facts.teams.values()].sort((left, right) => byBytes(left.id, right.id)).slice(0, 3);
  const variants = known.flatMap(({ title }) => [
    title,
    title.toUpperCase(),
    title.toLowerCase(),
    title.normalize("NFD"),
    [...title].slice(1, 3).join(""),
  ]);
  return [...new Set(["", "%", "_", "\\", "É", "ss", "ς", "tm", "+", ...variants])];
}
