/** The endpoints: what each lists, from which part of the model, and how its entries are written. */
import { type ContentKind, contentKey, idOf } from "../domain/content.ts";
import { type Page, type PageRequest, pageOf } from "../domain/page.ts";
import { rank } from "../domain/role.ts";
import type { Slice } from "../model/lists.ts";
import { everyoneOn, everyoneOnSite, givenOn } from "../model/members.ts";
import { findContent, findMember, findSite, keyOf, memberId, type Model } from "../model/model.ts";
import { byCreation, placeAfter, sortKeyIn, spacesOf } from "../model/spaces.ts";
import { teamAfter, teamsOf as teamsOfUser, teamsOn } from "../model/teams.ts";
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
import type { EntryColumn, Operation } from "./operation.ts";

/** Tables and CSV files show these fields of a user; NDJSON has every field. */
const USER_COLUMNS: readonly EntryColumn[] = [
  ["id", "user", "id"],
  ["name", "user", "displayName"],
  ["email", "user", "email"],
  ["role", "permission"],
];

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

function usersOf(kind: ContentKind): Operation {
  const { plural, name, parameter } = LABELS[kind];
  return {
    id: `listUserPermissionsIn${name}`,
    path: `/v1/${plural}/{${parameter}}/permissions/users`,
    summary: `List the permissions of users on a ${kind}`,
    description: `The permissions of users on the ${kind} itself, without inherited ones, by user id.`,
    subject: { of: "content", kind, parameter },
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

function teamsOf(kind: ContentKind): Operation {
  const { plural, name, parameter } = LABELS[kind];
  return {
    id: `listTeamPermissionsIn${name}`,
    path: `/v1/${plural}/{${parameter}}/permissions/teams`,
    summary: `List the permissions of teams on a ${kind}`,
    description: `The permissions of teams on the ${kind} itself, without inherited ones, by team id.`,
    subject: { of: "content", kind, parameter },
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

function everyoneOf(kind: ContentKind): Operation {
  const { plural, name, parameter } = LABELS[kind];
  return {
    id: `listPermissionsAggregateIn${name}`,
    path: `/v1/${plural}/{${parameter}}/permissions/aggregate`,
    summary: `List the effective roles of all users on a ${kind}`,
    description: `Every member with an effective role on the ${kind}, once each, by user id. \`role\` selects exactly that effective role.`,
    subject: { of: "content", kind, parameter },
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

const spacesOfMember: Operation = {
  id: "listSpacesForOrganizationMember",
  path: "/v1/orgs/{organizationId}/members/{userId}/spaces",
  summary: "List the spaces of an organization member",
  description:
    "Every space of the organization on which the member has an effective role, by creation, then id. `space.permissions` says what this member may do there.",
  subject: { of: "member", parameter: "userId" },
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

const usersOfSite: Operation = {
  id: "listPermissionsAggregateInSite",
  path: "/v1/orgs/{organizationId}/sites/{siteId}/permissions/aggregate",
  summary: "List the effective roles of all users on a site",
  description:
    "Every user with an effective role on at least one space of the site, once each, by user id, with the highest of those roles. `origin` says where it comes from.",
  subject: { of: "site", parameter: "siteId" },
  filters: [],
  entry: "SitePermission",
  sortedBy: "user id",
  columns: SITE_COLUMNS,
  list(model, { path, page }, { publicUrl }) {
    const site = findSite(model, path.siteId ?? "");
    if (site === undefined) return undefined;
    const hits = everyoneOnSite(model, site, membersFrom(model, page));
    return pageWith(hits, page, memberKey(model), (hit) => sitePermission(model, hit, publicUrl));
  },
};

const teamsOfMember: Operation = {
  id: "listTeamsForOrganizationMember",
  path: "/v1/orgs/{organizationId}/members/{userId}/teams",
  summary: "List the teams of an organization member",
  description:
    "The teams that the member belongs to, by team id. `title` selects teams whose title contains it, compared case-insensitively.",
  subject: { of: "member", parameter: "userId" },
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
const ORGANIZATION = { of: "organization", parameter: "organizationId" } as const;

const membersOfOrganization: Operation = {
  id: "listMembersInOrganizationById",
  path: "/v1/orgs/{organizationId}/members",
  summary: "List the members of an organization",
  description:
    "All members and guests, by user id, each with the organization role. `disabled`, `joinedAt`, `lastSeenAt`, `sso`, `spaces` and `teams` are not sent.",
  subject: ORGANIZATION,
  filters: [],
  entry: "Member",
  sortedBy: "user id",
  columns: [
    ["id", "id"],
    ["name", "user", "displayName"],
    ["email", "user", "email"],
    ["role", "role"],
  ],
  list(model, { page }, { publicUrl }) {
    const members = numbers(membersFrom(model, page), model.members.count);
    return pageWith(
      members,
      page,
      (member) => memberId(model, member),
      (member) => memberText(model, member, publicUrl),
    );
  },
};

const teamsOfOrganization: Operation = {
  id: "listTeamsInOrganizationById",
  path: "/v1/orgs/{organizationId}/teams",
  summary: "List the teams of an organization",
  description: "All teams, by team id.",
  subject: ORGANIZATION,
  filters: [],
  entry: "Team",
  sortedBy: "team id",
  columns: [
    ["id", "id"],
    ["title", "title"],
    ["members", "members"],
    ["spaces", "spaces"],
    ["created", "createdAt"],
  ],
  list(model, { page }) {
    const teams = numbers(teamsFrom(model, page), model.teams.count);
    return pageWith(
      teams,
      page,
      (team) => model.teams.ids[team] ?? "",
      (team) => teamText(model, team),
    );
  },
};

const spacesOfOrganization: Operation = {
  id: "listSpacesInOrganizationById",
  path: "/v1/orgs/{organizationId}/spaces",
  summary: "List the spaces of an organization",
  description:
    "All spaces, by creation, then id, newest first. `permissions` says what the caller may do there: everything. `type` is not sent.",
  subject: ORGANIZATION,
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

const collectionsOfOrganization: Operation = {
  id: "listCollectionsInOrganizationById",
  path: "/v1/orgs/{organizationId}/collections",
  summary: "List the collections of an organization",
  description:
    "All collections, those inside collections too, by collection id. `description`, `permissions` and `urls.app` are not sent.",
  subject: ORGANIZATION,
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

// A page reads one entry more than it shows, which tells whether another page follows.

/** The members of a page and the next one. */
function membersFrom({ members }: Model, { after, limit }: PageRequest<string>): Slice {
  return { from: after === undefined ? 0 : firstAfter(members.ids, after), most: limit + 1 };
}

function teamsFrom(model: Model, { after, limit }: PageRequest<string>): Slice {
  return { from: after === undefined ? 0 : teamAfter(model, after), most: limit + 1 };
}

/** The place in the order by creation at which a page begins. */
function firstPlace(model: Model, { after }: PageRequest<string>, newestFirst: boolean): number {
  if (after !== undefined) return placeAfter(model, after, newestFirst);
  return newestFirst ? byCreation(model).order.length - 1 : 0;
}

function numbers({ from, most }: Slice, count: number): number[] {
  return Array.from({ length: Math.min(most, count - from) }, (_, index) => from + index);
}

function memberKey(model: Model): (found: { readonly member: number }) => string {
  return ({ member }) => memberId(model, member);
}

function teamKey({ teams }: Model): (found: { readonly team: number }) => string {
  return ({ team }) => teams.ids[team] ?? "";
}

/** The page of what was found, each with its key and its text. */
function pageWith<Found>(
  found: readonly Found[],
  { limit }: PageRequest<string>,
  key: (found: Found) => string,
  text: (found: Found) => string,
): Page<string, string> {
  const page = pageOf(found, limit, key);
  return { ...page, entries: page.entries.map(text) };
}

/** Those of the interface, in the order of its table, then Rolebook's own. */
export const OPERATIONS: readonly Operation[] = [
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
];
