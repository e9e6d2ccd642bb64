/** One thing each, as lists have it (docs/api.md). */
import { contentKey } from "../domain/content.ts";
import { roleOf } from "../domain/role.ts";
import { findContent, findMember, findSite, findTeam, type Model, NOTHING } from "../model/model.ts";
import { roleOfCaller } from "./authorize.ts";
import {
  collectionText,
  memberText,
  organizationText,
  siteText,
  spaceText,
  teamText,
  userText,
} from "./entries.ts";
import type { Thing } from "./operation.ts";

/** Writes what was found. */
function written(
  model: Model,
  found: number | undefined,
  text: (model: Model, found: number, publicUrl: string) => string,
  publicUrl: string,
): string | undefined {
  return found === undefined ? undefined : text(model, found, publicUrl);
}

/** By what they are about: an organization and what it has, then contents, then users. */
export const THINGS: readonly Thing[] = [
  {
    id: "getOrganizationById",
    path: "/v1/orgs/{organizationId}",
    summary: "Get an organization",
    description: "The organization of the token.",
    subject: { of: "organization", parameter: "organizationId" },
    asker: "everyone",
    further: true,
    answer: "Organization",
    find: (model, _, { publicUrl }) => organizationText(model, publicUrl),
  },
  {
    id: "getMemberInOrganizationById",
    path: "/v1/orgs/{organizationId}/members/{userId}",
    summary: "Get a member of an organization",
    description: "A member or guest, with the organization role.",
    subject: { of: "member", parameter: "userId" },
    asker: "self",
    further: true,
    answer: "Member",
    find: (model, { path }, { publicUrl }) =>
      written(model, findMember(model, path.userId ?? ""), memberText, publicUrl),
  },
  {
    id: "getTeamInOrganizationById",
    path: "/v1/orgs/{organizationId}/teams/{teamId}",
    summary: "Get a team of an organization",
    description: "A team, with the numbers of its members and spaces.",
    subject: { of: "team", parameter: "teamId" },
    asker: "nobody",
    further: true,
    answer: "Team",
    find: (model, { path }, { publicUrl }) =>
      written(model, findTeam(model, path.teamId ?? ""), teamText, publicUrl),
  },
  {
    id: "getSiteById",
    path: "/v1/orgs/{organizationId}/sites/{siteId}",
    summary: "Get a site of an organization",
    description: "A site.",
    subject: { of: "site", parameter: "siteId" },
    asker: "nobody",
    further: true,
    answer: "Site",
    find: (model, { path }, { publicUrl }) =>
      written(model, findSite(model, path.siteId ?? ""), siteText, publicUrl),
  },
  {
    id: "getSpaceById",
    path: "/v1/spaces/{spaceId}",
    summary: "Get a space",
    description: "A space. `permissions` says what the caller may do there.",
    subject: { of: "content", kind: "space", parameter: "spaceId" },
    asker: "holder",
    further: true,
    answer: "Space",
    find(model, { path, caller }, { publicUrl }) {
      const space = findContent(model, contentKey("space", path.spaceId ?? ""));
      if (space === undefined) return undefined;
      const role = roleOfCaller(model, caller, space);
      return spaceText(model, space, role === NOTHING ? null : roleOf(role), publicUrl);
    },
  },
  {
    id: "getCollectionById",
    path: "/v1/collections/{collectionId}",
    summary: "Get a collection",
    description: "A collection.",
    subject: { of: "content", kind: "collection", parameter: "collectionId" },
    asker: "holder",
    further: true,
    answer: "Collection",
    find: (model, { path }, { publicUrl }) =>
      written(
        model,
        findContent(model, contentKey("collection", path.collectionId ?? "")),
        collectionText,
        publicUrl,
      ),
  },
  {
    id: "getUserById",
    path: "/v1/users/{userId}",
    summary: "Get a user",
    description: "A member of the token's organization, as that organization describes the user.",
    subject: { of: "member", parameter: "userId" },
    asker: "self",
    further: true,
    answer: "User",
    find: (model, { path }, { publicUrl }) =>
      written(model, findMember(model, path.userId ?? ""), userText, publicUrl),
  },
  {
    id: "getAuthenticatedUser",
    path: "/v1/user",
    summary: "Get the user of a token",
    description: "The member as whom the token acts. An organization token acts as none: 404.",
    subject: { of: "caller" },
    asker: "everyone",
    further: true,
    answer: "User",
    find: (model, { caller: { member = "" } }, { publicUrl }) =>
      written(model, findMember(model, member), userText, publicUrl),
  },
];
