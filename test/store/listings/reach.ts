import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ROLES } from "../../../src/domain/role.ts";
import { memberSpaces } from "../../../src/store/listings/entries.ts";
import { accessOf } from "../../../src/store/listings/subject.ts";
import { memberOf } from "../../../src/store/directory/members.ts";
import { organizationIds } from "../../oracle/facts.ts";
import { oracle } from "../../oracle/oracle.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import type { Role, SnapshotRecord } from "../../oracle/records.ts";
import { type OpenPlace, PUBLIC_URL, World } from "../../world.ts";

/**
 * A member's spaces, computed from sets of spaces. A page of the API first decides the next spaces one by one, and uses
 * the sets for the rest. With the filter `role`, it uses the sets at once,
 * unless the member has very many teams.
 */
export function exerciseReach(open: OpenPlace, runs: number): void {
  test("the sets of every member of random organizations give the oracle's lists", async () => {
    const sizes = { maxOrganizations: 1, minMembers: 5, maxMembers: 12, minContents: 8, maxContents: 20 };
    await fc.assert(
      fc.asyncProperty(
        organizations({ ...sizes, maxTeams: 6, minPermissions: 20, maxPermissions: 80 }),
        fc.integer({ min: 1, max: 4 }),
        (records, limit) => compareReach(open, records, limit),
      ),
      { numRuns: runs },
    );
  });

  test("of two collections that a space inherits from, the nearer one decides", () =>
    compareReach(open, NESTED, 10));
}

async function compareReach(
  open: OpenPlace,
  records: readonly SnapshotRecord[],
  limit: number,
): Promise<void> {
  const [organization = ""] = organizationIds(records);
  const asked = oracle(records, { publicUrl: PUBLIC_URL });
  const world = await World.open(open);
  try {
    await world.import(records);
    for (const listing of asked.listings(organization)) {
      if (listing.endpoint !== 7) continue;
      const { user, order = "desc" } = listing;
      const listed = asked.list(organization, listing).map(spaceOf);
      for (const role of ROLES) {
        const wanted = listed.filter((each) => each.role === role);
        expect(await reached(world, organization, user, order, role, limit), `${user} ${role}`).toEqual(
          wanted,
        );
      }
    }
  } finally {
    await world.close();
  }
}

async function reached(
  world: World,
  id: string,
  user: string,
  order: "asc" | "desc",
  role: Role,
  limit: number,
): Promise<{ id: string; role: string }[]> {
  const organization = await world.store.registry.organization(id);
  if (organization === undefined) throw new Error("The organization is missing.");
  const found: { id: string; role: string }[] = [];
  for (let after: string | undefined; ;) {
    const reading = world.store.reading(organization.current);
    const member = await memberOf(reading, user);
    if (member === undefined) throw new Error("The member is missing.");
    const { entries, next } = await memberSpaces(
      reading,
      await accessOf(reading, member),
      order,
      { after, limit },
      role,
    );
    found.push(...entries.map((entry) => ({ id: entry.id, role: entry.role })));
    if (next === undefined) return found;
    after = next;
  }
}

function spaceOf(item: unknown): { id: string; role: string } {
  const { permission, space }: { permission: string; space: { id: string } } = Object(item);
  return { id: space.id, role: permission };
}

const DATE = "2025-03-01T09:30:00.000Z";

/** A guest and a team have different roles on each of two collections above a space. */
const NESTED: readonly SnapshotRecord[] = [
  { object: "organization", id: "o", title: "O" },
  ...["guest", "mate"].flatMap((user): SnapshotRecord[] => [
    { object: "user", id: user, displayName: user },
    { object: "member", organization: "o", user, role: null },
  ]),
  { object: "team", id: "team", organization: "o", title: "Team", createdAt: DATE },
  { object: "teamMember", team: "team", user: "mate", role: "member" },
  { object: "collection", id: "outer", organization: "o", title: "Outer" },
  { object: "collection", id: "inner", organization: "o", title: "Inner", parent: "outer" },
  {
    object: "space",
    id: "deep",
    organization: "o",
    title: "Deep",
    parent: "inner",
    createdAt: DATE,
    updatedAt: DATE,
  },
  {
    object: "space",
    id: "flat",
    organization: "o",
    title: "Flat",
    parent: "outer",
    createdAt: DATE,
    updatedAt: DATE,
  },
  { object: "permission", collection: "outer", user: "guest", permission: "edit" },
  { object: "permission", collection: "inner", user: "guest", permission: "read" },
  { object: "permission", collection: "outer", team: "team", permission: "comment" },
  { object: "permission", collection: "inner", team: "team", permission: "create" },
];
