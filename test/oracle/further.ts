/** What came to the API beside its first 13 endpoints: further lists, and filters (docs/api.md). */
import type { Facts } from "./facts.ts";
import { fold } from "./fold.ts";
import { byBytes } from "./order.ts";
import { type DefaultLevel, ROLES, type Role, type SiteRecord } from "./records.ts";
import {
  type WireMember,
  type WireSpace,
  type WireTeam,
  type WireUser,
  wireMember,
  wireSpace,
  wireTeam,
} from "./wire.ts";

export type FurtherListing =
  | { endpoint: 14 }
  | { endpoint: 15; team: string }
  | { endpoint: 16; site: string }
  | { endpoint: 17; collection: string }
  | { endpoint: 18 | 19; site: string };

interface ByName {
  search?: string;
  sort?: "name";
  order?: "asc" | "desc";
}

/** The filters of endpoints 8, 10 and 11. */
export type SiteFilter = ByName & { role?: Role; team?: string };
export type MemberFilter = ByName & { role?: Role | "guest" };
export interface TeamFilter {
  title?: string;
  owner?: string;
}

export type FurtherItem =
  | { organization: WireMember; team: { role: "owner" | "member" } }
  | { object: "site-space"; space: WireSpace }
  | { permission: Role | null; user: WireUser }
  | { permission: Role | null; team: WireTeam }
  | WireSite;

export interface WireSite {
  object: "site";
  id: string;
  title: string;
  defaultLevel: DefaultLevel;
  urls: { location: string };
}

export function isFurther(listing: { endpoint: number }): listing is FurtherListing {
  return listing.endpoint >= 14;
}

/** Below the organization's path, but for endpoint 17, whose path has no organization. */
export function furtherPath(organization: string, listing: FurtherListing): string {
  const encode = encodeURIComponent;
  switch (listing.endpoint) {
    case 14:
      return `/v1/orgs/${encode(organization)}/sites`;
    case 15:
      return `/v1/orgs/${encode(organization)}/teams/${encode(listing.team)}/members`;
    case 16:
      return `/v1/orgs/${encode(organization)}/sites/${encode(listing.site)}/site-spaces`;
    case 17:
      return `/v1/collections/${encode(listing.collection)}/spaces`;
    case 18:
    case 19: {
      const whose = listing.endpoint === 18 ? "users" : "teams";
      return `/v1/orgs/${encode(organization)}/sites/${encode(listing.site)}/permissions/${whose}`;
    }
  }
}

export function furtherListings(facts: Facts): FurtherListing[] {
  return [
    { endpoint: 14 },
    ...[...facts.teams.keys()].map((team): FurtherListing => ({ endpoint: 15, team })),
    ...[...facts.sites.keys()].flatMap((site) =>
      ([16, 18, 19] as const).map((endpoint): FurtherListing => ({ endpoint, site })),
    ),
    ...[...facts.collections.keys()].map((collection): FurtherListing => ({ endpoint: 17, collection })),
  ];
}

/** Listings of endpoints 8, 10 and 11 with filters, one by one and together. */
export function filtersOf(facts: Facts) {
  const [user] = [...facts.users.values()].filter(({ id }) => facts.members.has(id));
  const names = user === undefined ? [] : [user.displayName, user.email ?? ""];
  const searches = [...names.map((name) => [...name].slice(1, 4).join("").toUpperCase()), "@", " ", "é", ""];
  const byName: ByName[] = [
    ...[...new Set(searches)].map((search) => ({ search })),
    { sort: "name" },
    { sort: "name", order: "asc" },
    { search: "a", sort: "name", order: "desc" },
  ];
  const [team = "none"] = facts.teams.keys();
  const [title = ""] = [...facts.teams.values()].map((each) => each.title.slice(0, 2));
  const owners = facts.teamMembers.filter(({ role }) => role === "owner").map((each) => each.user);
  return {
    members: [
      ...byName,
      ...[...ROLES, "guest" as const].map((role): MemberFilter => ({ role })),
      { role: "guest", search: "a", sort: "name" },
    ] satisfies MemberFilter[],
    site: [
      ...byName,
      { role: "read" },
      { role: "edit", sort: "name", order: "asc" },
      { team },
      { team: "none" },
      { team, search: "a", role: "admin", sort: "name" },
    ] satisfies SiteFilter[],
    teams: [
      { title },
      { title: "" },
      { owner: "nobody at all" },
      ...[...new Set(owners)].slice(0, 2).flatMap((owner) => [{ owner }, { owner, title }]),
    ] satisfies TeamFilter[],
  };
}

export function furtherList(
  facts: Facts,
  listing: FurtherListing,
  publicUrl: string,
): FurtherItem[] | WireSpace[] {
  const spaces = (isIn: (id: string) => boolean) =>
    [...facts.spaces.values()]
      .filter(({ id }) => isIn(id))
      .sort((left, right) => byBytes(left.id, right.id))
      .map((space) => wireSpace(space, "admin", publicUrl));
  switch (listing.endpoint) {
    case 14:
      return [...facts.sites.keys()].sort(byBytes).map((id) => wireSite(facts, id, publicUrl));
    case 15:
      if (!facts.teams.has(listing.team)) throw new Error(`no team ${listing.team}`);
      return facts.teamMembers
        .filter(({ team }) => team === listing.team)
        .sort((left, right) => byBytes(left.user, right.user))
        .map(({ user, role }) => ({
          organization: wireMember(facts, user, publicUrl),
          team: { role },
        }));
    case 16: {
      const linked = facts.sites.get(listing.site);
      if (linked === undefined) throw new Error(`no site ${listing.site}`);
      return spaces((id) => linked.includes(id)).map((space) => ({ object: "site-space", space }));
    }
    case 17:
      if (!facts.collections.has(listing.collection)) throw new Error(`no collection ${listing.collection}`);
      return spaces((id) => facts.spaces.get(id)?.parent === listing.collection);
    case 18:
    case 19: {
      if (!facts.sites.has(listing.site)) throw new Error(`no site ${listing.site}`);
      const given = facts.permissionsOnSite(listing.site);
      const ordered = given.toSorted((left, right) =>
        byBytes(left.user ?? left.team ?? "", right.user ?? right.team ?? ""),
      );
      return ordered.flatMap(({ permission, user, team }): FurtherItem[] => {
        if (listing.endpoint === 18)
          return user === undefined ? [] : [{ permission, user: wireMember(facts, user, publicUrl).user }];
        const record = facts.teams.get(team ?? "");
        return record === undefined ? [] : [{ permission, team: wireTeam(record, facts) }];
      });
    }
  }
}

export function wireSite(facts: Facts, id: string, publicUrl: string): WireSite {
  return {
    object: "site",
    id,
    title: facts.siteRecords.get(id)?.title ?? "",
    defaultLevel: levelOf(facts.siteRecords.get(id)),
    urls: { location: `${publicUrl}/v1/orgs/${facts.organization}/sites/${id}` },
  };
}

function levelOf(site: SiteRecord | undefined): DefaultLevel {
  return site?.defaultLevel === undefined ? "inherit" : site.defaultLevel;
}

interface Named {
  user: { id: string; displayName: string; email?: string };
}

/** Members in the order of ids, narrowed and in the order that is asked for. */
export function narrowed<Item extends Named>(
  facts: Facts,
  items: Item[],
  { search = "", sort, order = "desc", role, team }: SiteFilter | (MemberFilter & { team?: string }),
  roleOf: (item: Item) => string | null,
): Item[] {
  const contains = (text = "") => fold(text).includes(fold(search));
  const left = items.filter(
    (item) =>
      (contains(item.user.displayName) || (item.user.email !== undefined && contains(item.user.email))) &&
      (role === undefined || roleOf(item) === (role === "guest" ? null : role)) &&
      (team === undefined ||
        facts.teamMembers.some((each) => each.team === team && each.user === item.user.id)),
  );
  if (sort === undefined) return left;
  left.sort(
    ({ user: one }, { user: other }) =>
      byBytes(fold(one.displayName), fold(other.displayName)) || byBytes(one.id, other.id),
  );
  return order === "asc" ? left : left.toReversed();
}
