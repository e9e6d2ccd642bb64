/** The lists: what each has, from which part of the model, and how its entries are written. */
import { type ContentKind, contentKey, idOf } from "../domain/content.ts";
import { rank } from "../domain/role.ts";
import { everyoneOn, everyoneOnSite, givenOn } from "../model/members.ts";
import { findContent, findMember, findSite, keyOf, NOTHING } from "../model/model.ts";
import { membersNarrowed, nextOf, teamsNarrowed } from "../model/narrowed.ts";
import { byCreation, sortKeyIn, spacesOf } from "../model/spaces.ts";
import { teamsOf as teamsOfUser, teamsOn } from "../model/teams.ts";
import { firstAfter } from "../model/texts.ts";
import {
  collectionText,
  memberText,
  sitePermission,
  spacePermission,
  spaceText,
  teamMembership,
  teamPermission,
  teamText,
  userPermission,
} from "./entries.ts";
import { FURTHER_LISTINGS } from "./further.ts";
import { type EntryColumn, type Listing, USER_COLUMNS } from "./operation.ts";
import {
  firstPlace,
  keyIn,
  memberKey,
  membersFrom,
  narrowedMembers,
  numbers,
  pageWith,
  teamKey,
  teamsFrom,
} from "./pages.ts";

const SITE_COLUMNS: readonly EntryColumn[] = [
  ...USER_COLUMNS,
  ["origin", "origin", "type"],
  ["space", "origin", "space"],
];

const SPACE_COLUMNS: readonly EntryColumn[] = [
  ["id", "space", "id"],
  ["title", "space", "title"],
  ["role", "permission"],
  ["parent", "space", "parent"],
  ["visibility", "space", "visibility"],
  ["created", "space", "createdAt"],
];

/** `role` is the path of the column "role". */
function teamColumns(...role: string[]): readonly EntryColumn[] {
  return [
    ["id", "team", "id"],
    ["title", "team", "title"],
    ["role", ...role],
    ["members", "team", "members"],
    ["spaces", "team", "spaces"],
  ];
}

const LABELS = {
  space: { plural: "spaces", name: "Space", parameter: "spaceId" },
  collection: { plural: "collections", name: "Collection", parameter: "collectionId" },
} as const;

function usersOf(kind: ContentKind): Listing {
  const { plural, name, parameter } = LABELS[kind];
  return {
    id: `listUserPermissionsIn${name}`,
    path: `/v1/${plural}/{${parameter}}/permissions/users`,
    summary: `List the permissions of users on a ${kind}`,
    description: `The permissions of users on the ${kind} itself, without inherited ones, by user id.`,
    subject: { of: "content", kind, parameter },
    asker: "lister",
    filters: [],
    entry: "UserPermission",
    sortedBy: "user id",
    columns: USER_COLUMNS,
    list(model, { path, page }, { publicUrl }) {
      const content = findContent(model, contentKey(kind, path[parameter] ?? ""));
      if (content === undefined) return undefined;
      const hits = givenOn(model, content, membersFrom(model, page));
      return pageWith(hits, page, memberKey(model), (hit) => userPermission(model, hit, publicUrl));
    },
  };
}

function teamsOf(kind: ContentKind): Listing {
  const { plural, name, parameter } = LABELS[kind];
  return {
    id: `listTeamPermissionsIn${name}`,
    path: `/v1/${plural}/{${parameter}}/permissions/teams`,
    summary: `List the permissions of teams on a ${kind}`,
    description: `The permissions of teams on the ${kind} itself, without inherited ones, by team id.`,
    subject: { of: "content", kind, parameter },
    asker: "lister",
    filters: [],
    entry: "TeamPermission",
    sortedBy: "team id",
    columns: teamColumns("permission"),
    list(model, { path, page }) {
      const content = findContent(model, contentKey(kind, path[parameter] ?? ""));
      if (content === undefined) return undefined;
      const found = teamsOn(model, content, teamsFrom(model, page));
      return pageWith(found, page, teamKey(model), (each) => teamPermission(model, each));
    },
  };
}

function everyoneOf(kind: ContentKind): Listing {
  const { plural, name, parameter } = LABELS[kind];
  return {
    id: `listPermissionsAggregateIn${name}`,
    path: `/v1/${plural}/{${parameter}}/permissions/aggregate`,
    summary: `List the effective roles of all users on a ${kind}`,
    description: `Every member with an effective role on the ${kind}, once each, by user id. \`role\` selects exactly that effective role.`,
    subject: { of: "content", kind, parameter },
    asker: "lister",
    filters: ["role"],
    entry: "UserPermission",
    sortedBy: "user id",
    columns: USER_COLUMNS,
    list(model, { path, filters: { role }, page }, { publicUrl }) {
      const content = findContent(model, contentKey(kind, path[parameter] ?? ""));
      if (content === undefined) return undefined;
      const wanted = role === undefined ? undefined : rank(role);
      const hits = everyoneOn(model, content, wanted, membersFrom(model, page));
      return pageWith(hits, page, memberKey(model), (hit) => userPermission(model, hit, publicUrl));
    },
  };
}

const spacesOfMember: Listing = {
  id: "listSpacesForOrganizationMember",
  path: "/v1/orgs/{organizationId}/members/{userId}/spaces",
  summary: "List the spaces of an organization member",
  description:
    "Every space of the organization on which the member has an effective role, by creation, then id. `space.permissions` says what this member may do there.",
  subject: { of: "member", parameter: "userId" },
  asker: "self",
  filters: ["order"],
  entry: "SpacePermission",
  sortedBy: "creation, then id",
  columns: SPACE_COLUMNS,
  list(model, { path, filters: { order }, page }, { publicUrl }) {
    const member = findMember(model, path.userId ?? "");
    if (member === undefined) return undefined;
    const newestFirst = order === "desc";
    const place = firstPlace(model, page, newestFirst);
    const hits = spacesOf(model, member, { place, most: page.limit + 1, newestFirst });
    return pageWith(
      hits,
      page,
      ({ space }) => sortKeyIn(model, space),
      (hit) => spacePermission(model, hit, publicUrl),
    );
  },
};

const usersOfSite: Listing = {
  id: "listPermissionsAggregateInSite",
  path: "/v1/orgs/{organizationId}/sites/{siteId}/permissions/aggregate",
  summary: "List the effective roles of all users on a site",
  description:
    "Every user with an effective role on at least one space of the site, once each, by user id, with the highest of those roles. `origin` says where it comes from.",
  subject: { of: "site", parameter: "siteId" },
  asker: "nobody",
  filters: ["role", "search", "team", "sort", "nameOrder"],
  entry: "SitePermission",
  sortedBy: "user id; name",
  columns: SITE_COLUMNS,
  *narrow(model, { path, filters: { role, search = "", team, sort } }) {
    const site = findSite(model, path.siteId ?? "");
    if (site === undefined) return undefined;
    const wanted = role === undefined ? undefined : rank(role);
    return yield* membersNarrowed(model, { site, role: wanted, search, team, byName: sort === "name" });
  },
  list(model, { path, filters, page, narrowed }, { publicUrl }) {
    const site = findSite(model, path.siteId ?? "");
    if (site === undefined) return undefined;
    const { codes, spaces } = narrowed?.sheet ?? {};
    const hits =
      narrowed === undefined
        ? everyoneOnSite(model, site, membersFrom(model, page))
        : narrowedMembers(model, narrowed, filters, page).map((member) => ({
            member,
            code: codes?.[member] ?? 0,
            space: spaces?.[member] ?? 0,
          }));
    return pageWith(
      hits,
      page,
      ({ member }) => keyIn(model, filters, member),
      (hit) => sitePermission(model, site, hit, publicUrl),
    );
  },
};

const teamsOfMember: Listing = {
  id: "listTeamsForOrganizationMember",
  path: "/v1/orgs/{organizationId}/members/{userId}/teams",
  summary: "List the teams of an organization member",
  description:
    "The teams that the member belongs to, by team id. `title` selects teams whose title contains it, compared case-insensitively.",
  subject: { of: "member", parameter: "userId" },
  asker: "self",
  filters: ["title"],
  entry: "TeamMembership",
  sortedBy: "team id",
  columns: teamColumns("member", "role"),
  list(model, { path, filters, page }) {
    const member = findMember(model, path.userId ?? "");
    if (member === undefined) return undefined;
    const found = teamsOfUser(model, member, filters.title, teamsFrom(model, page));
    return pageWith(found, page, teamKey(model), (each) => teamMembership(model, each));
  },
};

/** The lists of what an organization has are Rolebook's own, not of the interface of the other nine. */
const ORGANIZATION = {
  subject: { of: "organization", parameter: "organizationId" },
  asker: "nobody",
} as const;

const membersOfOrganization: Listing = {
  id: "listMembersInOrganizationById",
  path: "/v1/orgs/{organizationId}/members",
  summary: "List the members of an organization",
  description:
    "All members and guests, by user id, each with the organization role. `disabled`, `joinedAt`, `lastSeenAt`, `sso`, `spaces` and `teams` are not sent.",
  ...ORGANIZATION,
  filters: ["organizationRole", "search", "sort", "nameOrder"],
  entry: "Member",
  sortedBy: "user id; name",
  columns: [
    ["id", "id"],
    ["name", "user", "displayName"],
    ["email", "user", "email"],
    ["role", "role"],
  ],
  narrow(model, { filters: { organizationRole: role, search = "", sort } }) {
    const wanted = role === undefined ? undefined : role === "guest" ? NOTHING : rank(role);
    return membersNarrowed(model, { role: wanted, search, byName: sort === "name" });
  },
  list(model, { filters, page, narrowed }, { publicUrl }) {
    const members =
      narrowed === undefined
        ? numbers(membersFrom(model, page), model.members.count)
        : narrowedMembers(model, narrowed, filters, page);
    return pageWith(
      members,
      page,
      (member) => keyIn(model, filters, member),
      (member) => memberText(model, member, publicUrl),
    );
  },
};

const teamsOfOrganization: Listing = {
  id: "listTeamsInOrganizationById",
  path: "/v1/orgs/{organizationId}/teams",
  summary: "List the teams of an organization",
  description: "All teams, by team id.",
  ...ORGANIZATION,
  filters: ["title", "owner"],
  entry: "Team",
  sortedBy: "team id",
  columns: [
    ["id", "id"],
    ["title", "title"],
    ["members", "members"],
    ["spaces", "spaces"],
    ["created", "createdAt"],
  ],
  narrow: (model, { filters: { title, owner } }) => teamsNarrowed(model, { title, owner }),
  list(model, { page, narrowed }) {
    const slice = teamsFrom(model, page);
    const teams = narrowed === undefined ? numbers(slice, model.teams.count) : nextOf(narrowed, slice);
    return pageWith(
      teams,
      page,
      (team) => model.teams.ids[team] ?? "",
      (team) => teamText(model, team),
    );
  },
};

const spacesOfOrganization: Listing = {
  id: "listSpacesInOrganizationById",
  path: "/v1/orgs/{organizationId}/spaces",
  summary: "List the spaces of an organization",
  description:
    "All spaces, by creation, then id, newest first. `permissions` says what the caller may do there: everything. `type` is not sent.",
  ...ORGANIZATION,
  filters: [],
  entry: "Space",
  sortedBy: "creation, then id, newest first",
  columns: [
    ["id", "id"],
    ["title", "title"],
    ["parent", "parent"],
    ["visibility", "visibility"],
    ["default level", "defaultLevel"],
    ["created", "createdAt"],
  ],
  list(model, { page }, { publicUrl }) {
    const place = firstPlace(model, page, true);
    const newestFirst = byCreation(model)
      .order.subarray(Math.max(0, place - page.limit), place + 1)
      .toReversed();
    return pageWith(
      [...newestFirst],
      page,
      (space) => sortKeyIn(model, space),
      (space) => spaceText(model, space, "admin", publicUrl),
    );
  },
};

const collectionsOfOrganization: Listing = {
  id: "listCollectionsInOrganizationById",
  path: "/v1/orgs/{organizationId}/collections",
  summary: "List the collections of an organization",
  description:
    "All collections, those inside collections too, by collection id. `description`, `permissions` and `urls.app` are not sent.",
  ...ORGANIZATION,
  filters: ["nested"],
  entry: "Collection",
  sortedBy: "collection id",
  columns: [
    ["id", "id"],
    ["title", "title"],
    ["parent", "parent"],
    ["default level", "defaultLevel"],
  ],
  list(model, { page }, { publicUrl }) {
    const { byKey, isSpace, keys } = model.contents;
    const first = firstAfter(keys, contentKey("collection", page.after ?? ""), byKey);
    // Spaces follow the collections.
    const collections = Array.from(byKey.subarray(first, first + page.limit + 1)).filter(
      (x) => isSpace[x] === 0,
    );
    return pageWith(
      collections,
      page,
      (collection) => idOf(keyOf(model, collection)),
      (collection) => collectionText(model, collection, publicUrl),
    );
  },
};

/** The lists: those of the interface, in the order of its table, then Rolebook's own. */
export const OPERATIONS: readonly Listing[] = [
  usersOf("space"),
  teamsOf("space"),
  everyoneOf("space"),
  teamsOf("collection"),
  usersOf("collection"),
  everyoneOf("collection"),
  spacesOfMember,
  usersOfSite,
  teamsOfMember,
  membersOfOrganization,
  teamsOfOrganization,
  spacesOfOrganization,
  collectionsOfOrganization,
  ...FURTHER_LISTINGS,
];
