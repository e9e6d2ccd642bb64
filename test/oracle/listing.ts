import type { Facts } from "./facts.ts";
import { byBytes } from "./order.ts";
import { ROLES, type Role, type SnapshotRecord } from "./records.ts";

/** A listing: an endpoint of the interface with its path parameters and filters. */
export type Listing =
  | { endpoint: 1 | 2; space: string }
  | { endpoint: 3; space: string; role?: Role }
  | { endpoint: 4 | 5; collection: string }
  | { endpoint: 6; collection: string; role?: Role }
  | { endpoint: 7; user: string; order?: "asc" | "desc" }
  | { endpoint: 8; site: string }
  | { endpoint: 9; user: string; title?: string }
  | { endpoint: 10 | 11 | 12 }
  | { endpoint: 13; nested?: "true" };

/**
 * The URL path of a listing with its query; ids and values are percent-encoded. Endpoints from 7 on use
 * `organization`.
 */
export function path(organization: string, listing: Listing): string {
  const encode = encodeURIComponent;
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
      return `/v1/orgs/${encode(organization)}/sites/${encode(listing.site)}/permissions/aggregate`;
    case 9:
      return `/v1/orgs/${encode(organization)}/members/${encode(listing.user)}/teams${query("title", listing.title)}`;
    case 10:
      return `/v1/orgs/${encode(organization)}/members`;
    case 11:
      return `/v1/orgs/${encode(organization)}/teams`;
    case 12:
      return `/v1/orgs/${encode(organization)}/spaces`;
    case 13:
      return `/v1/orgs/${encode(organization)}/collections${query("nested", listing.nested)}`;
  }
}

function query(name: string, value: string | undefined): string {
  return value === undefined ? "" : `?${name}=${encodeURIComponent(value)}`;
}

/** Every listing that exists in an organization, with every role, both orders and some titles. */
export function listingsOf(facts: Facts): Listing[] {
  const titles = someTitles(facts);
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
    ...[...facts.sites.keys()].map((site): Listing => ({ endpoint: 8, site })),
    ...[...facts.members.keys()].flatMap((user): Listing[] => [
      { endpoint: 7, user },
      { endpoint: 7, user, order: "asc" },
      { endpoint: 7, user, order: "desc" },
      { endpoint: 9, user },
      ...titles.map((title): Listing => ({ endpoint: 9, user, title })),
    ]),
    { endpoint: 10 },
    { endpoint: 11 },
    { endpoint: 12 },
    { endpoint: 13 },
    { endpoint: 13, nested: "true" },
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
      ([4, 5, 6] as const).map((endpoint): Listing => ({ endpoint, collection })),
    ),
    ...without(used, facts.sites).map((site): Listing => ({ endpoint: 8, site })),
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
