/** The endpoints: what each lists, from which part of the store, and how its entries are written. */
import { type ContentKey, type ContentKind, contentKey, idOf } from "../domain/content.ts";
import { abilitiesText, sendCollection } from "../domain/document.ts";
import type { Rule } from "../domain/ladder.ts";
import type { Page } from "../domain/page.ts";
import { allTeams, type Team } from "../store/directory/teams.ts";
import { allCollections } from "../store/listings/collections.ts";
import { everywhere, memberAccess } from "../store/listings/palette.ts";
import {
  type Membership,
  memberTeams,
  type TeamPermission,
  teamPermissions,
} from "../store/listings/teams.ts";
import { accessGivenOn, accessOfUser, accessOnContent, accessOnSite } from "../store/listings/subject.ts";
import { type SentHit, sentPage } from "../store/listings/walk.ts";
import { bytesOf } from "../store/memory/documents.ts";
import { GUEST } from "../store/memory/universe.ts";
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
    async list(reading, { path, page }, sending) {
      const access = await accessGivenOn(reading, contentKey(kind, path[parameter] ?? ""));
      if (access === undefined) return undefined;
      return texts(await sentPage(reading, access, page, sending), userPermission);
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
      return found && texts(found, teamPermission);
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
    async list(reading, { path, filters: { role }, page }, sending) {
      const access = await accessOnContent(reading, contentKey(kind, path[parameter] ?? ""));
      if (access === undefined) return undefined;
      return texts(await sentPage(reading, access, { ...page, role }, sending), userPermission);
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
  async list(reading, { path, filters: { order }, page }, sending) {
    const access = await accessOfUser(reading, path.userId ?? "");
    if (access === undefined) return undefined;
    return texts(await sentPage(reading, access, { ...page, order }, sending), spacePermission);
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
  async list(reading, { path, page }, sending) {
    const access = await accessOnSite(reading, path.siteId ?? "");
    if (access === undefined) return undefined;
    return texts(await sentPage(reading, access, page, sending), (hit) => {
      const decision = access.decisionOf(hit.code);
      const subject = access.subjects[hit.subject];
      if (decision === undefined || subject === undefined)
        throw new Error("An entry has a role that nothing gives.");
      return sitePermission(hit, decision.rule, subject, reading.at.organization);
    });
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
    return found && texts(found, teamMembership);
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
  async list(reading, { page }, sending) {
    return texts(await sentPage(reading, memberAccess(undefined), page, sending), member);
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
  async list(reading, { page }) {
    return texts(await allTeams(reading, page), sendTeam);
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
  async list(reading, { page }, sending) {
    const found = await sentPage(reading, everywhere("admin"), { ...page, order: "desc" }, sending);
    return texts(found, space);
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
  async list(reading, { page }, { publicUrl }) {
    const found = await allCollections(reading, page);
    return texts(found, ({ id, text, inherits }) => bytesOf(sendCollection(id, text, inherits, publicUrl)));
  },
};

function texts<Entry>(page: Page<Entry, string>, text: (entry: Entry) => string): Page<string, string> {
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

// The entries of the listings as JSON in UTF-8 (interface), with one character for each byte.

function userPermission({ role, document }: SentHit): string {
  return `{"permission":"${role}","user":${document.begin}}`;
}

function teamPermission({ role, team }: TeamPermission): string {
  return `{"permission":"${role}","team":${sendTeam(team)}}`;
}

function spacePermission(hit: SentHit): string {
  return `{"permission":"${hit.role}","space":${space(hit)}}`;
}

function space({ role, document: { begin, end } }: SentHit): string {
  return `${begin}${abilitiesText(role)}${end}`;
}

function member({ chunk, ordinal, slot, role, document }: SentHit): string {
  const id = bytesOf(JSON.stringify(chunk.keyAt(ordinal)));
  const sent = chunk.bytes[slot] === GUEST ? "null" : `"${role}"`;
  return `{"object":"member","id":${id},"role":${sent},"user":${document.begin}}`;
}

/** `origin.type` by deciding rule (docs/permissions.md). */
const ORIGINS = {
  admin: "organization",
  direct: "space",
  team: "space",
  default: "space",
  organization: "organization",
} as const satisfies Record<Rule, string>;

/** `rule` gives the role on the content `subject`. */
function sitePermission(
  { role, document }: SentHit,
  rule: Rule,
  subject: ContentKey,
  organization: string,
): string {
  const type = ORIGINS[rule];
  const organizationField = type === "organization" ? `,"organization":"${organization}"` : "";
  return `{"permission":"${role}","user":${document.begin},"origin":{"type":"${type}","space":"${idOf(subject)}"${organizationField}}}`;
}

function teamMembership({ role, team }: Membership): string {
  return `{"team":${sendTeam(team)},"member":{"role":"${role}"}}`;
}

function sendTeam({ text, members, spaces }: Team): string {
  return bytesOf(`${text.slice(0, -1)},"members":${members},"spaces":${spaces}}`);
}
