import * as fc from "fast-check";
import type {
  CollectionRecord,
  DefaultLevel,
  PermissionRecord,
  Role,
  SiteRecord,
  SnapshotRecord,
  SpaceRecord,
} from "../records.ts";
import { evolution, renamed } from "./evolve.ts";
import {
  contentId,
  count,
  date,
  defaultLevel,
  fresh,
  optional,
  pick,
  position,
  role,
  shuffle,
  title,
  url,
  userId,
} from "./values.ts";

type Taken = Record<"organization" | "collection" | "space" | "team" | "site", Set<string>>;

/** Makes the records of one import, always valid, from random choices. */
function build({ users, organizations, seed }: Choices): SnapshotRecord[] {
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

  const sites = choice.sites.map(({ id, title, defaultLevel, spaces, permissions }) => ({
    record: {
      object: "site",
      id: fresh(id, taken.site),
      organization,
      title,
      ...optional("defaultLevel", defaultLevel),
    } satisfies SiteRecord,
    wanted: spaces,
    permissions,
  }));
  const grantees = {
    teams: teams.map(({ id }) => id),
    users: members.map(({ user }) => user),
  };

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
    ...sites.map(({ record }) => record),
    ...sites.flatMap(({ record: { id }, wanted }) => {
      const found = wanted.flatMap((at) => pick(spaces, at)?.id ?? []);
      return [...new Set(found)].map((space): SnapshotRecord => ({ object: "siteSpace", site: id, space }));
    }),
    ...buildPermissions(choice.permissions, [...collections, ...spaces], grantees),
    ...sites.flatMap(({ record, permissions }) => buildSitePermissions(permissions, record, grantees)),
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

interface Grantees {
  readonly teams: string[];
  readonly users: string[];
}

/** The chosen team or user; `undefined` if there is none. */
function granteeOf(
  { toTeam, grantee }: { toTeam: boolean; grantee: number },
  { teams, users }: Grantees,
): { team: string } | { user: string } | undefined {
  const id = pick(toTeam ? teams : users, grantee);
  if (id === undefined) return undefined;
  return toTeam ? { team: id } : { user: id };
}

function buildPermissions(
  wanted: Choice["permissions"],
  contents: (CollectionRecord | SpaceRecord)[],
  grantees: Grantees,
): PermissionRecord[] {
  const given = wanted.flatMap((one): PermissionRecord[] => {
    const target = pick(contents, one.content);
    const to = granteeOf(one, grantees);
    if (target === undefined || to === undefined) return [];
    const on = target.object === "space" ? { space: target.id } : { collection: target.id };
    return [{ object: "permission", ...on, ...to, permission: one.permission }];
  });
  return firstOf(given, ({ space, collection, user, team }) =>
    JSON.stringify([space, collection, user, team]),
  );
}

function buildSitePermissions(
  wanted: Choice["sites"][number]["permissions"],
  { id: site }: SiteRecord,
  grantees: Grantees,
): PermissionRecord[] {
  const given = wanted.flatMap((one): PermissionRecord[] => {
    const to = granteeOf(one, grantees);
    return to === undefined ? [] : [{ object: "permission", site, ...to, permission: one.permission }];
  });
  return firstOf(given, ({ user, team }) => JSON.stringify([user, team]));
}

function firstOf<Item>(items: Item[], key: (item: Item) => string): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const before = seen.size;
    return seen.add(key(item)).size > before;
  });
}

/**
 * The limits of one random import. `…Organizations` and `…Members` apply to the import, the others to each
 * organization.
 */
interface Sizes {
  maxOrganizations: number;
  /** The users of the import. Each is a member of most organizations. */
  maxMembers: number;
  maxTeams: number;
  /** The number of collections and spaces together. */
  maxContents: number;
  maxPermissions: number;
  maxSites: number;
  /** Lower limits, for tests that need long lists. */
  minOrganizations: number;
  minMembers: number;
  minContents: number;
  minPermissions: number;
}

type OrganizationRole = Role | null | undefined;

/** `undefined` means that the user is no member. */
const organizationRole: fc.Arbitrary<OrganizationRole> = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.constant<OrganizationRole>(undefined) },
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: role },
);

const plain = { noNullPrototype: true } as const;

function user(sizes: Sizes) {
  return fc.record({
    id: userId,
    displayName: title,
    details: fc.record(
      {
        email: fc.constantFrom("a@example.org", "A+b@Example.org", "\u00E9@example.org"),
        photoURL: url,
        urls: fc.record({ location: url }, { ...plain, requiredKeys: [] }),
      },
      { ...plain, requiredKeys: [] },
    ),
    repeats: fc.constantFrom(0, 0, 0, 1, 2),
    roles: fc.array(organizationRole, {
      minLength: sizes.maxOrganizations,
      maxLength: sizes.maxOrganizations,
    }),
  });
}

/** The fields of a space that other arbitraries decide. */
type Decided =
  | "object"
  | "id"
  | "organization"
  | "title"
  | "createdAt"
  | "updatedAt"
  | "parent"
  | "defaultLevel";

const SPACE_DETAILS = {
  deletedAt: date,
  emoji: fc.constantFrom("", "\u{1F600}", "1f600", "\u{1F469}\u200D\u{1F680}"),
  visibility: fc.constantFrom("public", "unlisted", "share-link", "visitor-auth", "in-collection", "private"),
  editMode: fc.constantFrom("live", "locked"),
  urls: fc.record(
    { location: url, app: url, published: url, public: url, icon: url },
    { ...plain, requiredKeys: [] },
  ),
  gitSync: fc.record(
    {
      repoName: title,
      installationProvider: fc.constantFrom("github", "gitlab", "github-legacy"),
      integration: title,
      url,
      updatedAt: date,
    },
    { ...plain, requiredKeys: [] },
  ),
  visitorAuth: fc.record({ backend: fc.constantFrom("custom", "integration") }, plain),
  revision: title,
  comments: count,
  changeRequests: count,
  changeRequestsOpen: count,
  changeRequestsDraft: count,
} satisfies Readonly<Record<Exclude<keyof SpaceRecord, Decided>, fc.Arbitrary<unknown>>>;

/** The optional fields of a space, each of which is present or absent at random. */
const spaceDetails: fc.Arbitrary<Omit<SpaceRecord, Decided>> = fc.record(SPACE_DETAILS, {
  ...plain,
  requiredKeys: [],
});

/** A position in a list of possible parents; often none. */
const parent = fc.option(position, { nil: undefined, freq: 3 });

function organization(sizes: Sizes) {
  return fc.record({
    id: contentId,
    title,
    collections: fc.array(fc.record({ id: contentId, title, parent, defaultLevel }), {
      minLength: Math.floor(sizes.minContents / 2),
      maxLength: Math.floor(sizes.maxContents / 2),
    }),
    spaces: fc.array(
      fc.record({
        id: contentId,
        title,
        createdAt: date,
        updatedAt: date,
        details: spaceDetails,
        parent,
        defaultLevel,
      }),
      { minLength: Math.ceil(sizes.minContents / 2), maxLength: Math.ceil(sizes.maxContents / 2) },
    ),
    // Sometimes the first space is below a chain of collections of the largest allowed depth.
    tower: fc.oneof(
      { withCrossShrink: true },
      { weight: 24, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 32 }) },
    ),
    teams: fc.array(
      fc.record({
        id: contentId,
        title,
        createdAt: date,
        members: fc.array(
          fc.record({ member: position, role: fc.constantFrom("member" as const, "owner" as const) }),
          { maxLength: sizes.maxMembers },
        ),
      }),
      { maxLength: sizes.maxTeams },
    ),
    permissions: fc.array(
      fc.record({ content: position, toTeam: fc.boolean(), grantee: position, permission: role }),
      { minLength: sizes.minPermissions, maxLength: sizes.maxPermissions },
    ),
    sites: fc.array(
      fc.record({
        id: contentId,
        title,
        spaces: fc.array(position, { maxLength: sizes.maxContents }),
        ...speaking(sizes),
      }),
      { maxLength: sizes.maxSites },
    ),
  });
}

interface SiteWords {
  readonly defaultLevel: fc.Arbitrary<DefaultLevel | undefined>;
  readonly permissions: fc.Arbitrary<{ toTeam: boolean; grantee: number; permission: Role | null }[]>;
}

/** What a site says: most have no level, many have permissions, and some of these are no access. */
function speaking(sizes: Sizes): SiteWords {
  return {
    defaultLevel: fc.oneof(
      { withCrossShrink: true },
      { weight: 2, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: defaultLevel },
    ),
    permissions: fc.array(
      fc.record({
        toTeam: fc.boolean(),
        grantee: position,
        permission: fc.option(role, { nil: null, freq: 3 }),
      }),
      { maxLength: Math.ceil(sizes.maxPermissions / 4) },
    ),
  };
}

/** The random choices for one import. They are not records yet, so that each of them shrinks by itself. */
function choices(sizes: Sizes) {
  return fc.record({
    users: fc.uniqueArray(user(sizes), {
      selector: ({ id }) => id,
      minLength: sizes.minMembers,
      maxLength: sizes.maxMembers,
    }),
    organizations: fc.array(organization(sizes), {
      minLength: sizes.minOrganizations,
      maxLength: sizes.maxOrganizations,
    }),
    seed: fc.nat(),
  });
}

type Of<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

type Choices = Of<ReturnType<typeof choices>>;

const SIZES: Sizes = {
  minOrganizations: 1,
  maxOrganizations: 3,
  minMembers: 0,
  maxMembers: 8,
  maxTeams: 4,
  minContents: 0,
  maxContents: 8,
  minPermissions: 0,
  maxPermissions: 20,
  maxSites: 3,
};

/**
 * Random valid snapshots of one import: small, with difficult cases. The organizations share users. An
 * id is unique per kind, but several kinds use it. Organizations that share ids of contents need several imports; see
 * {@link neighbouring}.
 */
export function organizations(sizes: Partial<Sizes> = {}): fc.Arbitrary<SnapshotRecord[]> {
  return choices({ ...SIZES, ...sizes }).map(build);
}

/** An import, and `steps` later imports of the same organizations, in order. */
export function histories(sizes: Partial<Sizes> = {}, steps = 1): fc.Arbitrary<SnapshotRecord[][]> {
  return fc
    .tuple(organizations(sizes), fc.array(evolution, { minLength: steps, maxLength: steps }))
    .map(([first, evolutions]) => {
      const history = [first];
      for (const evolve of evolutions) history.push(evolve(history.at(-1) ?? first));
      return history;
    });
}

/** An import, and a second import of other organizations with the same ids and users (see {@link renamed}). */
export function neighbouring(sizes: Partial<Sizes> = {}): fc.Arbitrary<[SnapshotRecord[], SnapshotRecord[]]> {
  return fc.tuple(organizations(sizes), evolution).map(([first, evolve]) => [first, evolve(renamed(first))]);
}
