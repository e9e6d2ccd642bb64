import type {
  CollectionRecord,
  ContentPermission,
  Role,
  SitePermission,
  SiteRecord,
  SnapshotRecord,
  SpaceRecord,
  TeamMemberRecord,
  TeamRecord,
  UserRecord,
} from "./records.ts";

export interface Content {
  kind: "space" | "collection";
  id: string;
}

/** The records of one import about one organization. */
export interface Facts {
  organization: string;
  title: string;
  users: Map<string, UserRecord>;
  /** Organization roles by user id; `null` is a guest. Users who are no members are absent. */
  members: Map<string, Role | null>;
  teams: Map<string, TeamRecord>;
  teamMembers: TeamMemberRecord[];
  collections: Map<string, CollectionRecord>;
  spaces: Map<string, SpaceRecord>;
  /** Space ids by site id. */
  sites: Map<string, string[]>;
  siteRecords: Map<string, SiteRecord>;
  /** The permissions on the content itself. */
  permissionsOn(content: Content): ContentPermission[];
  permissionsOnSite(site: string): SitePermission[];
}

/** The ids of the organizations of an import. */
export function organizationIds(records: readonly SnapshotRecord[]): string[] {
  return records.flatMap((record) => (record.object === "organization" ? record.id : []));
}

/**
 * Collects the records of one organization.
 * Throws if the records do not contain the organization.
 */
export function factsOf(records: readonly SnapshotRecord[], organization: string): Facts {
  if (!organizationIds(records).includes(organization)) {
    throw new Error(`no organization ${organization} in these records`);
  }
  const all = <Kind extends SnapshotRecord["object"]>(kind: Kind) =>
    records.filter((record): record is Extract<SnapshotRecord, { object: Kind }> => record.object === kind);
  const own = <Item extends { id: string; organization: string }>(items: Item[]) =>
    new Map(items.filter((item) => item.organization === organization).map((item) => [item.id, item]));

  const teams = own(all("team"));
  const collections = own(all("collection"));
  const spaces = own(all("space"));
  const siteSpaces = all("siteSpace");
  const siteRecords = own<SiteRecord>(all("site"));
  const given = all("permission");
  const onContents = Map.groupBy(
    given.filter((permission) => permission.site === undefined),
    ({ space, collection }) => (space === undefined ? `collection ${collection}` : `space ${space}`),
  );
  const onSites = Map.groupBy(
    given.filter((permission) => permission.site !== undefined),
    ({ site }) => site,
  );

  return {
    organization,
    title: all("organization").find(({ id }) => id === organization)?.title ?? "",
    users: new Map(all("user").map((user) => [user.id, user])),
    members: new Map(
      all("member")
        .filter((member) => member.organization === organization)
        .map((member) => [member.user, member.role]),
    ),
    teams,
    teamMembers: all("teamMember").filter((membership) => teams.has(membership.team)),
    collections,
    spaces,
    sites: new Map(
      [...siteRecords.keys()].map((site) => [
        site,
        siteSpaces.filter((link) => link.site === site).map((link) => link.space),
      ]),
    ),
    siteRecords,
    permissionsOn(content) {
      const mine = content.kind === "space" ? spaces : collections;
      return mine.has(content.id) ? (onContents.get(`${content.kind} ${content.id}`) ?? []) : [];
    },
    permissionsOnSite: (site) => (siteRecords.has(site) ? (onSites.get(site) ?? []) : []),
  };
}
