import { contentKey, type ContentKind } from "../domain/content.ts";
import type { Page } from "../domain/page.ts";
import { startAfter } from "../store/sets/start.ts";
import { effectiveMembers, explainedMembers } from "../store/listings/effective.ts";
import { memberSpaces, prefetchSpaces } from "../store/listings/member/member-spaces.ts";
import { memberTeams } from "../store/listings/member/member-teams.ts";
import { teamPermissions, userPermissions } from "../store/listings/direct.ts";
import {
  givenOn,
  onContent,
  onSite,
  prefetchOnContent,
  prefetchOnSite,
} from "../store/listings/access-query/subject.ts";
import { memberOf } from "../store/directory/members.ts";
import { MEMBERS, SPACES } from "../store/schema/set-names.ts";
import { SITE_COLUMNS, SPACE_COLUMNS, teamColumns, USER_COLUMNS } from "./columns.ts";
import type { Operation } from "./operation.ts";
import { sitePermission, spacePermission, teamMembership, teamPermission, userPermission } from "./send.ts";

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
    prepare: (reading, { path, page }) =>
      Promise.all([
        givenOn(reading, contentKey(kind, path[parameter] ?? "")).sets.prefetch(reading, page.after),
        startAfter(reading, MEMBERS, page.after, "asc"),
      ]),
    async list(reading, { path, page }, publicUrl) {
      const found = await userPermissions(reading, contentKey(kind, path[parameter] ?? ""), page);
      return texts(found, (entry) => userPermission(entry, publicUrl));
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
    async list(reading, { path, page }) {
      const found = await teamPermissions(reading, contentKey(kind, path[parameter] ?? ""), page);
      return texts(found, teamPermission);
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
    subject: { of: "content", kind, parameter, isRead: true },
    filters: ["role"],
    entry: "UserPermission",
    sortedBy: "user id",
    columns: USER_COLUMNS,
    prepare: (reading, { path, filters, page }) =>
      Promise.all([
        prefetchOnContent(reading, contentKey(kind, path[parameter] ?? ""), page.after, filters.role),
        startAfter(reading, MEMBERS, page.after, "asc"),
      ]),
    async list(reading, { path, filters, page }, publicUrl) {
      const query = await onContent(reading, contentKey(kind, path[parameter] ?? ""));
      if (query === undefined) return undefined;
      const found = await effectiveMembers(reading, query, page, filters.role);
      return texts(found, (entry) => userPermission(entry, publicUrl));
    },
  };
}

const spacesOfMember: Operation = {
  id: "listSpacesForOrganizationMember",
  path: "/v1/orgs/{organizationId}/members/{userId}/spaces",
  summary: "List the spaces of an organization member",
  description:
    "Every space of the organization on which the member has an effective role, by creation, then id. `space.permissions` says what this member may do there.",
  subject: { of: "member", parameter: "userId", isRead: true },
  filters: ["order"],
  entry: "SpacePermission",
  sortedBy: "creation, then id",
  columns: SPACE_COLUMNS,
  prepare: (reading, { path, filters, page }) =>
    Promise.all([
      prefetchSpaces(reading, path.userId ?? "", page.after, filters.order),
      startAfter(reading, SPACES, page.after, filters.order),
    ]),
  async list(reading, { path, filters, page }, publicUrl) {
    const member = await memberOf(reading, path.userId ?? "");
    if (member === undefined) return undefined;
    const found = await memberSpaces(reading, member, filters.order, page);
    return texts(found, (entry) => spacePermission(entry, publicUrl));
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
  prepare: (reading, { path, page }) =>
    Promise.all([
      prefetchOnSite(reading, path.siteId ?? "", page.after),
      startAfter(reading, MEMBERS, page.after, "asc"),
    ]),
  async list(reading, { path, page }, publicUrl) {
    const query = await onSite(reading, path.siteId ?? "");
    if (query === undefined) return undefined;
    const found = await explainedMembers(reading, query, page);
    return texts(found, (entry) => sitePermission(entry, reading.at.organization, publicUrl));
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
  async list(reading, { path, filters, page }) {
    const found = await memberTeams(reading, path.userId ?? "", page, filters.title);
    return texts(found, teamMembership);
  },
};

function texts<Entry>(page: Page<Entry, string>, text: (entry: Entry) => string): Page<string, string> {
  return { ...page, entries: page.entries.map(text) };
}

/** In the order of the interface's table. */
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
];
