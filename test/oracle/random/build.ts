import type { Choices } from "./choices.ts";
import { fresh, optional, pick } from "./pick.ts";
import type { CollectionRecord, PermissionRecord, Role, SnapshotRecord, SpaceRecord } from "../records.ts";
import { shuffle } from "./shuffle.ts";

type Taken = Record<"organization" | "collection" | "space" | "team" | "site", Set<string>>;

/** Makes the records of one import, always valid, from random choices. */
export function build({ users, organizations, seed }: Choices): SnapshotRecord[] {
  const taken: Taken = {
    organization: new Set(),
    collection: new Set(),
    space: new Set(),
    team: new Set(),
    site: new Set(),
  };
  const described = users.flatMap(({ id, displayName, details, repeats }): SnapshotRecord[] =>
    Array.from({ length: 1 + repeats }, () => ({ object: "user", id, displayName, ...details })),
  );
  const built = organizations.flatMap((organization, at) => {
    const members = users.flatMap(({ id, roles }) => {
      const role = roles[at];
      return role === undefined ? [] : [{ user: id, role }];
    });
    return buildOrganization(organization, members, taken);
  });
  return shuffle([...described, ...built], seed);
}

type Choice = Choices["organizations"][number];

function buildOrganization(
  choice: Choice,
  members: { user: string; role: Role | null }[],
  taken: Taken,
): SnapshotRecord[] {
  const organization = fresh(choice.id, taken.organization);
  const collections = buildCollections(choice, organization, taken);
  const bottom = choice.tower === 0 ? undefined : collections.at(-1);

  const spaces = choice.spaces.map(({ id, parent, defaultLevel, details, ...rest }, at): SpaceRecord => {
    const chosen = parent === undefined ? undefined : pick(collections, parent);
    const above = at === 0 && bottom !== undefined ? bottom : chosen;
    return {
      object: "space",
      id: fresh(id, taken.space),
      organization,
      ...rest,
      ...details,
      ...optional("parent", above?.id),
      ...optional("defaultLevel", defaultLevel),
    };
  });

  const teams = choice.teams.map(({ members: wanted, ...team }) => ({
    id: fresh(team.id, taken.team),
    wanted,
    title: team.title,
    createdAt: team.createdAt,
  }));

  const sites = choice.sites.map(({ id, title, spaces }) => ({
    id: fresh(id, taken.site),
    title,
    wanted: spaces,
  }));

  return [
    { object: "organization", id: organization, title: choice.title },
    ...members.map(({ user, role }): SnapshotRecord => ({ object: "member", organization, user, role })),
    ...teams.map(({ id, title, createdAt }): SnapshotRecord => ({
      object: "team",
      id,
      organization,
      title,
      createdAt,
    })),
    ...teams.flatMap(({ id, wanted }) => {
      const found = wanted.flatMap(({ member, role }) => {
        const user = pick(members, member)?.user;
        return user === undefined ? [] : [{ user, role }];
      });
      return firstOf(found, ({ user }) => user).map(({ user, role }): SnapshotRecord => ({
        object: "teamMember",
        team: id,
        user,
        role,
      }));
    }),
    ...collections,
    ...spaces,
    ...sites.map(({ id, title }): SnapshotRecord => ({ object: "site", id, organization, title })),
    ...sites.flatMap(({ id, wanted }) => {
      const found = wanted.flatMap((at) => pick(spaces, at)?.id ?? []);
      return [...new Set(found)].map((space): SnapshotRecord => ({ object: "siteSpace", site: id, space }));
    }),
    ...buildPermissions(
      choice.permissions,
      [...collections, ...spaces],
      teams.map(({ id }) => id),
      members.map(({ user }) => user),
    ),
  ];
}

/**
 * A collection's parent is one of the collections before it, so that there is no cycle. The deepest chain comes last.
 */
function buildCollections(choice: Choice, organization: string, taken: Taken): CollectionRecord[] {
  const collections: CollectionRecord[] = [];
  for (const { id, title, parent, defaultLevel } of choice.collections) {
    const above = parent === undefined ? undefined : pick(collections, parent);
    collections.push({
      object: "collection",
      id: fresh(id, taken.collection),
      organization,
      title,
      ...optional("parent", above?.id),
      ...optional("defaultLevel", defaultLevel),
    });
  }
  for (let level = 0; level < choice.tower; level += 1) {
    const above = level === 0 ? undefined : collections.at(-1);
    collections.push({
      object: "collection",
      id: fresh("tower", taken.collection),
      organization,
      title: `Level ${level + 1}`,
      ...optional("parent", above?.id),
    });
  }
  return collections;
}

function buildPermissions(
  wanted: Choice["permissions"],
  contents: (CollectionRecord | SpaceRecord)[],
  teams: string[],
  users: string[],
): PermissionRecord[] {
  const given = wanted.flatMap(({ content, toTeam, grantee, permission }): PermissionRecord[] => {
    const target = pick(contents, content);
    const id = pick(toTeam ? teams : users, grantee);
    if (target === undefined || id === undefined) return [];
    const on = target.object === "space" ? { space: target.id } : { collection: target.id };
    return [{ object: "permission", ...on, ...(toTeam ? { team: id } : { user: id }), permission }];
  });
  return firstOf(given, ({ space, collection, user, team }) =>
    JSON.stringify([space, collection, user, team]),
  );
}

function firstOf<Item>(items: Item[], key: (item: Item) => string): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const before = seen.size;
    return seen.add(key(item)).size > before;
  });
}
