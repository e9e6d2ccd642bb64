import * as fc from "fast-check";

import { position } from "./pick.ts";
import type { Role, SpaceRecord } from "../records.ts";
import { contentId, count, date, defaultLevel, role, title, url, userId } from "./values.ts";

/**
 * The limits of one random import. `…Organizations` and `…Members` apply to the import, the others to each
 * organization.
 */
export interface Sizes {
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
export const spaceDetails: fc.Arbitrary<Omit<SpaceRecord, Decided>> = fc.record(SPACE_DETAILS, {
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
      fc.record({ id: contentId, title, spaces: fc.array(position, { maxLength: sizes.maxContents }) }),
      { maxLength: sizes.maxSites },
    ),
  });
}

/** The random choices for one import. They are not records yet, so that each of them shrinks by itself. */
export function choices(sizes: Sizes) {
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

export type Choices = Of<ReturnType<typeof choices>>;
