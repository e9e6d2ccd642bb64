import type { Listing } from "../../../oracle/oracle.ts";
import { byBytes } from "../../../oracle/order.ts";
import type { Entries, Vintage } from "./entries.ts";
import type { State } from "./state.ts";

/** The entries of a list in order. Each has a unique key, after which a page can begin. */
export type List = readonly (readonly [key: string, entry: () => Record<string, unknown>])[];

/** An operation of the API. Its entries are `undefined` if the subject does not exist. */
interface Operation {
  readonly path: string;
  readonly since?: "newest";
  list(state: State, entries: Entries, ids: readonly string[], query: URLSearchParams): List | undefined;
}

function keyed(ids: Iterable<string>, entry: (id: string) => Record<string, unknown>): List {
  return [...ids].sort(byBytes).map((id) => [id, () => entry(id)] as const);
}

function given(kind: "space" | "collection" | "site", to: "user" | "team"): Operation {
  const parent = kind === "site" ? "/orgs/{organizationId}" : "";
  return {
    path: `${parent}/${kind}s/{${kind}Id}/permissions/${to}s`,
    ...(kind === "site" ? { since: "newest" } : {}),
    list({ facts }, entries, ids) {
      const id = ids.at(-1) ?? "";
      const there = { space: facts.spaces, collection: facts.collections, site: facts.sites };
      if (!there[kind].has(id)) return undefined;
      const permissions = kind === "site" ? facts.permissionsOnSite(id) : facts.permissionsOn({ kind, id });
      const roles = permissions.flatMap((permission) => {
        const grantee = permission[to];
        return grantee === undefined ? [] : [[grantee, permission.permission] as const];
      });
      const byGrantee = new Map(roles);
      return keyed(byGrantee.keys(), (grantee) => ({
        permission: byGrantee.get(grantee),
        [to]: to === "user" ? entries.user(grantee) : entries.team(grantee),
      }));
    },
  };
}

/** An operation whose list Rolebook has too: the oracle computes it, in the form of GitBook's answers. */
function derived(path: string, listing: (ids: readonly string[]) => Listing): Operation {
  return {
    path,
    list(state, entries, ids) {
      const asked = listing(ids);
      const { facts } = state;
      const isThere =
        "space" in asked
          ? facts.spaces.has(asked.space)
          : "collection" in asked
            ? facts.collections.has(asked.collection)
            : "site" in asked
              ? facts.sites.has(asked.site)
              : "user" in asked &&
                state.facts.members.has(asked.user) &&
                state.beyond.disabled?.includes(asked.user) !== true;
      if (!isThere) return undefined;
      return state.oracle.list(state.organization, asked).map((item, index) => {
        const permission = "permission" in item ? item.permission : undefined;
        const rest =
          "space" in item
            ? { space: entries.space(item.space.id) }
            : "user" in item
              ? { user: entries.user(item.user.id) }
              : {};
        const origin = "origin" in item ? { origin: originOf(item.origin), disabled: false } : {};
        return [String(index).padStart(9, "0"), () => ({ permission, ...rest, ...origin })] as const;
      });
    },
  };
}

/** GitBook names no space where the origin is the organization or a site. */
function originOf({ space, ...origin }: { type: string; space: string }): object {
  return origin.type === "space" ? { ...origin, space } : origin;
}

export const LISTS: readonly Operation[] = [
  {
    path: "/orgs/{organizationId}/members",
    list({ facts }, entries, _, query) {
      // Sorted by `lastSeenAt`, the list has only members who were ever seen.
      const seen = (_each: string, index: number) => query.get("sort") !== "lastSeenAt" || index % 2 === 0;
      const list = keyed([...facts.members.keys()].filter(seen), (id) => entries.member(id));
      return query.get("order") === "asc" ? list : list.toReversed();
    },
  },
  {
    path: "/orgs/{organizationId}/teams",
    list: ({ facts }, entries) => keyed(facts.teams.keys(), (id) => entries.team(id)),
  },
  {
    path: "/orgs/{organizationId}/teams/{teamId}/members",
    list({ facts }, entries, [, team = ""]) {
      if (!facts.teams.has(team)) return undefined;
      const roles = new Map(
        facts.teamMembers.filter((each) => each.team === team).map(({ user, role }) => [user, role]),
      );
      return keyed(roles.keys(), (user) => entries.teamMember(user, roles.get(user) ?? ""));
    },
  },
  {
    path: "/orgs/{organizationId}/collections",
    list({ facts }, entries, _, query) {
      const top = (id: string) =>
        query.get("nested") !== "false" || facts.collections.get(id)?.parent === undefined;
      return keyed([...facts.collections.keys()].filter(top), (id) => entries.collection(id));
    },
  },
  {
    path: "/orgs/{organizationId}/spaces",
    list: ({ facts }, entries) => keyed(facts.spaces.keys(), (id) => entries.space(id)),
  },
  {
    path: "/orgs/{organizationId}/sites",
    list: ({ facts }, entries) => keyed(facts.sites.keys(), (id) => entries.site(id)),
  },
  {
    path: "/orgs/{organizationId}/sites/{siteId}/site-spaces",
    list({ facts }, entries, [, site = ""]) {
      const spaces = facts.sites.get(site);
      return spaces === undefined ? undefined : keyed(spaces, (space) => entries.siteSpace(site, space));
    },
  },
  given("site", "user"),
  given("site", "team"),
  given("space", "user"),
  given("space", "team"),
  given("collection", "user"),
  given("collection", "team"),
  derived("/spaces/{spaceId}/permissions/aggregate", ([space = ""]) => ({ endpoint: 3, space })),
  derived("/collections/{collectionId}/permissions/aggregate", ([collection = ""]) => ({
    endpoint: 6,
    collection,
  })),
  derived("/orgs/{organizationId}/members/{userId}/spaces", ([, user = ""]) => ({ endpoint: 7, user })),
  derived("/orgs/{organizationId}/sites/{siteId}/permissions/aggregate", ([, site = ""]) => ({
    endpoint: 8,
    site,
  })),
];

/** The operation of a path, and its decoded ids. */
export function operationAt(
  pathname: string,
  vintage: Vintage,
): { path: string; ids: string[]; operation?: Operation } | undefined {
  const segments = pathname.split("/").slice(2);
  for (const operation of [...LISTS, { path: "/orgs/{organizationId}" }]) {
    if ("since" in operation && operation.since !== undefined && operation.since !== vintage) continue;
    const wanted = operation.path.split("/").slice(1);
    if (wanted.length !== segments.length) continue;
    if (!wanted.every((each, index) => each.startsWith("{") || each === segments[index])) continue;
    const ids = segments
      .filter((_, index) => wanted[index]?.startsWith("{"))
      .map((each) => decodeURIComponent(each));
    return { path: operation.path, ids, ...("list" in operation ? { operation } : {}) };
  }
  return undefined;
}
