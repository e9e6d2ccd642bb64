/** The lists that came after the first 13 (docs/api.md). */
import { contentKey, idOf } from "../domain/content.ts";
import { listIn } from "../model/lists.ts";
import { findContent, findSite, findTeam, firstId, keyOf } from "../model/model.ts";
import { givenOnSite } from "../model/members.ts";
import { spacesInCollections, spacesOfSite } from "../model/spaces.ts";
import { membersOfTeam, teamsOnSite } from "../model/teams.ts";
import { siteSpaceText, siteText, spaceText, teamMember, teamOverride, userOverride } from "./entries.ts";
import { type EntryColumn, type Listing, USER_COLUMNS } from "./operation.ts";
import { memberKey, membersFrom, numbers, pageWith, spacesFrom, teamKey, teamsFrom } from "./pages.ts";

function spaceColumns(...space: string[]): readonly EntryColumn[] {
  return [
    ["id", ...space, "id"],
    ["title", ...space, "title"],
    ["parent", ...space, "parent"],
    ["visibility", ...space, "visibility"],
    ["default level", ...space, "defaultLevel"],
  ];
}

const sitesOfOrganization: Listing = {
  id: "listSites",
  path: "/v1/orgs/{organizationId}/sites",
  summary: "List the sites of an organization",
  description: "All sites, by site id.",
  subject: { of: "organization", parameter: "organizationId" },
  asker: "nobody",
  further: true,
  filters: [],
  entry: "Site",
  sortedBy: "site id",
  columns: [
    ["id", "id"],
    ["title", "title"],
  ],
  list(model, { page }, { publicUrl }) {
    const { ids, count } = model.sites;
    const { after, limit } = page;
    const first = firstId(ids, after ?? "");
    const from = ids[first] === after ? first + 1 : first;
    return pageWith(
      numbers({ from, most: limit + 1 }, count),
      page,
      (site) => ids[site] ?? "",
      (site) => siteText(model, site, publicUrl),
    );
  },
};

const membersOfTeams: Listing = {
  id: "listTeamMembersInOrganizationById",
  path: "/v1/orgs/{organizationId}/teams/{teamId}/members",
  summary: "List the members of a team",
  description: "Everybody in the team, by user id, each with the organization role and the role in the team.",
  subject: { of: "team", parameter: "teamId" },
  asker: "nobody",
  further: true,
  filters: [],
  entry: "TeamMember",
  sortedBy: "user id",
  columns: [
    ["id", "organization", "id"],
    ["name", "organization", "user", "displayName"],
    ["email", "organization", "user", "email"],
    ["role", "team", "role"],
  ],
  list(model, { path, page }, { publicUrl }) {
    const team = findTeam(model, path.teamId ?? "");
    if (team === undefined) return undefined;
    const found = membersOfTeam(model, team, membersFrom(model, page));
    return pageWith(found, page, memberKey(model), (each) => teamMember(model, each, publicUrl));
  },
};

const spacesOfSites: Listing = {
  id: "listSiteSpaces",
  path: "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces",
  summary: "List the spaces of a site",
  description: "The spaces in the site, by space id.",
  subject: { of: "site", parameter: "siteId" },
  asker: "nobody",
  further: true,
  filters: [],
  entry: "SiteSpace",
  sortedBy: "space id",
  columns: spaceColumns("space"),
  list(model, { path, page }, { publicUrl }) {
    const site = findSite(model, path.siteId ?? "");
    if (site === undefined) return undefined;
    return pageWith(
      spacesFrom(model, spacesOfSite(model, site), page),
      page,
      (space) => idOf(keyOf(model, space)),
      (space) => siteSpaceText(model, space, publicUrl),
    );
  },
};

const spacesOfCollections: Listing = {
  id: "listSpacesInCollectionById",
  path: "/v1/collections/{collectionId}/spaces",
  summary: "List the spaces in a collection",
  description: "The spaces directly in the collection, without those of collections inside it, by space id.",
  subject: { of: "content", kind: "collection", parameter: "collectionId" },
  asker: "nobody",
  further: true,
  filters: [],
  entry: "Space",
  sortedBy: "space id",
  columns: spaceColumns(),
  list(model, { path, page }, { publicUrl }) {
    const collection = findContent(model, contentKey("collection", path.collectionId ?? ""));
    if (collection === undefined) return undefined;
    return pageWith(
      spacesFrom(model, listIn(spacesInCollections(model), collection), page),
      page,
      (space) => idOf(keyOf(model, space)),
      (space) => spaceText(model, space, "admin", publicUrl),
    );
  },
};

const usersGivenOnSite: Listing = {
  id: "listUserPermissionsInSite",
  path: "/v1/orgs/{organizationId}/sites/{siteId}/permissions/users",
  summary: "List the permissions of users on a site",
  description: "The permissions of users on the site itself, by user id; null is no access.",
  subject: { of: "site", parameter: "siteId" },
  asker: "nobody",
  further: true,
  filters: [],
  entry: "UserOverride",
  sortedBy: "user id",
  columns: USER_COLUMNS,
  list(model, { path, page }, { publicUrl }) {
    const site = findSite(model, path.siteId ?? "");
    if (site === undefined) return undefined;
    const hits = givenOnSite(model, site, membersFrom(model, page));
    return pageWith(hits, page, memberKey(model), (hit) => userOverride(model, hit, publicUrl));
  },
};

const teamsGivenOnSite: Listing = {
  id: "listTeamPermissionsInSite",
  path: "/v1/orgs/{organizationId}/sites/{siteId}/permissions/teams",
  summary: "List the permissions of teams on a site",
  description: "The permissions of teams on the site itself, by team id; null is no access.",
  subject: { of: "site", parameter: "siteId" },
  asker: "nobody",
  further: true,
  filters: [],
  entry: "TeamOverride",
  sortedBy: "team id",
  columns: [
    ["id", "team", "id"],
    ["title", "team", "title"],
    ["role", "permission"],
  ],
  list(model, { path, page }) {
    const site = findSite(model, path.siteId ?? "");
    if (site === undefined) return undefined;
    const found = teamsOnSite(model, site, teamsFrom(model, page));
    return pageWith(found, page, teamKey(model), (each) => teamOverride(model, each));
  },
};

export const FURTHER_LISTINGS: readonly Listing[] = [
  sitesOfOrganization,
  membersOfTeams,
  spacesOfSites,
  spacesOfCollections,
  usersGivenOnSite,
  teamsGivenOnSite,
];
