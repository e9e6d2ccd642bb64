import { utc } from "./date.ts";
import { atLeast, levelOf, sitesAskedBy } from "./effective.ts";
import type { Facts } from "./facts.ts";
import type {
  CollectionRecord,
  DefaultLevel,
  GitSync,
  Role,
  SpaceRecord,
  TeamRecord,
  UserRecord,
  Visibility,
} from "./records.ts";

/** Resources as answers send them: the fields of the interface, with the defaults of docs/snapshot.md. */

export interface WireUser {
  object: "user";
  id: string;
  displayName: string;
  email?: string;
  photoURL?: string;
  urls: { location: string };
}

export interface WireTeam {
  object: "team";
  id: string;
  title: string;
  members: number;
  spaces: number;
  createdAt: string;
}

export interface WireSpace {
  object: "space";
  id: string;
  title: string;
  emoji: string;
  visibility: Visibility;
  createdAt: string;
  updatedAt: string;
  deletedAt?: string;
  editMode?: "live" | "locked";
  urls: { location: string; app: string; published?: string; public?: string; icon?: string };
  organization: string;
  parent?: string;
  gitSync?: GitSync;
  visitorAuth?: { backend: "custom" | "integration" };
  revision: string;
  defaultLevel: DefaultLevel;
  comments: number;
  changeRequests: number;
  changeRequestsOpen: number;
  changeRequestsDraft: number;
  permissions: Record<"access" | "admin" | "edit" | "comment" | "merge" | "review", boolean>;
}

export interface WireMember {
  object: "member";
  id: string;
  role: Role | null;
  user: WireUser;
}

export interface WireCollection {
  object: "collection";
  id: string;
  title: string;
  organization: string;
  parent?: string;
  defaultLevel: DefaultLevel;
  urls: { location: string };
}

/** A member as answers send it. */
export function wireMember(facts: Facts, id: string, publicUrl: string): WireMember {
  const [user, role] = [facts.users.get(id), facts.members.get(id)];
  if (user === undefined || role === undefined) throw new Error(`no member ${id}`);
  return { object: "member", id, role, user: wireUser(user, publicUrl) };
}

/** A collection as answers send it. */
export function wireCollection(collection: CollectionRecord, publicUrl: string): WireCollection {
  return {
    ...collection,
    defaultLevel: levelOf(collection),
    urls: { location: `${publicUrl}/v1/collections/${collection.id}` },
  };
}

export function wireUser(user: UserRecord, publicUrl: string): WireUser {
  return {
    ...user,
    urls: { location: user.urls?.location ?? `${publicUrl}/v1/users/${encodeURIComponent(user.id)}` },
  };
}

/** A team as answers send it, with its two counts. */
export function wireTeam(team: TeamRecord, facts: Facts): WireTeam {
  return {
    object: "team",
    id: team.id,
    title: team.title,
    members: facts.teamMembers.filter((membership) => membership.team === team.id).length,
    spaces: [...facts.spaces.values()].filter((space) => holdsPermission(team, space, facts)).length,
    createdAt: utc(team.createdAt),
  };
}

/**
 * Whether the team has a permission on the space, a role on a site that the space asks, or a permission on a collection
 * that the space inherits from. The `defaultLevel` of the collection with the permission does not matter. A level of one
 * of the sites, or no access of the team there, ends what the space inherits.
 */
function holdsPermission(team: TeamRecord, space: SpaceRecord, facts: Facts): boolean {
  if (facts.permissionsOn({ kind: "space", id: space.id }).some((given) => given.team === team.id))
    return true;
  const sites = sitesAskedBy(facts, { kind: "space", id: space.id });
  const roles = sites.flatMap((site) =>
    facts.permissionsOnSite(site).flatMap((given) => (given.team === team.id ? [given.permission] : [])),
  );
  if (roles.some((role) => role !== null)) return true;
  const haveLevels = sites.some((id) => {
    const site = facts.siteRecords.get(id);
    return site !== undefined && levelOf(site) !== "inherit";
  });
  let { parent } = space;
  let inherits = levelOf(space) === "inherit" && !haveLevels && roles.length === 0;
  while (parent !== undefined && inherits) {
    const collection = facts.collections.get(parent);
    if (collection === undefined) throw new Error(`collection ${parent} is named and does not exist`);
    const given = facts.permissionsOn({ kind: "collection", id: collection.id });
    if (given.some((permission) => permission.team === team.id)) return true;
    inherits = levelOf(collection) === "inherit";
    ({ parent } = collection);
  }
  return false;
}

/** The values that the server sends for fields that a space record omits (docs/snapshot.md). */
export const SPACE_DEFAULTS = {
  emoji: "",
  visibility: "private",
  revision: "",
  comments: 0,
  changeRequests: 0,
  changeRequestsOpen: 0,
  changeRequestsDraft: 0,
} as const satisfies Partial<SpaceRecord>;

/** A space in the list of a member's spaces; `role` is the member's effective role on the space. */
export function wireSpace(space: SpaceRecord, role: Role, publicUrl: string): WireSpace {
  const { deletedAt, gitSync } = space;
  return {
    ...SPACE_DEFAULTS,
    ...space,
    defaultLevel: levelOf(space),
    createdAt: utc(space.createdAt),
    updatedAt: utc(space.updatedAt),
    ...(deletedAt === undefined ? {} : { deletedAt: utc(deletedAt) }),
    ...(gitSync === undefined ? {} : { gitSync: wireGitSync(gitSync) }),
    urls: {
      location: `${publicUrl}/v1/spaces/${space.id}`,
      app: `${publicUrl}/s/${space.id}`,
      ...space.urls,
    },
    permissions: {
      access: atLeast(role, "read"),
      comment: atLeast(role, "comment"),
      edit: atLeast(role, "edit"),
      review: atLeast(role, "review"),
      merge: atLeast(role, "review"),
      admin: atLeast(role, "create"),
    },
  };
}

function wireGitSync(gitSync: GitSync): GitSync {
  return { ...gitSync, ...(gitSync.updatedAt === undefined ? {} : { updatedAt: utc(gitSync.updatedAt) }) };
}
