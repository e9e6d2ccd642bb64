import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentKey } from "../../../src/domain/content.ts";
import type { Order, Page, PageRequest } from "../../../src/domain/page.ts";
import { type Role, ROLES } from "../../../src/domain/role.ts";
import { loadChunk } from "../../../src/store/memory/chunk.ts";
import { universeIndex } from "../../../src/store/memory/universe.ts";
import { effectiveMembers, memberSpaces } from "../../../src/store/listings/entries.ts";
import { allCollections } from "../../../src/store/listings/collections.ts";
import { allTeams } from "../../../src/store/directory/teams.ts";
import { memberTeams, teamPermissions } from "../../../src/store/listings/teams.ts";
import { roleCounts } from "../../../src/store/listings/counts.ts";
import {
  accessGivenOn,
  accessOf,
  accessOnContent,
  accessOnSite,
  accessThrough,
} from "../../../src/store/listings/subject.ts";
import { memberOf } from "../../../src/store/directory/members.ts";
import type { Reading } from "../../../src/store/reading.ts";
import { MEMBERS, SPACES } from "../../../src/store/schema/set-names.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { countSteps, type Steps } from "../engine/sqlite/steps.ts";
import { type OpenPlace, World } from "../../world.ts";
import { SHAPE, shape, type Layout, user } from "../shape.ts";

const PAGE = 20;
/** Numbers of members: fewer than a chunk has slots, and several chunks. */
const SMALL = 1_000;
const LARGE = 10_000;

/** The number of teams of this member grows with the organization, from few to more than a member's row lists. */
const SOCIAL = 6;
const PER_TEAM = 30;

/** A member whose teams grow too, but whose row lists all of them. */
const BUSY = 16;
const LISTED = 0.75;

export type Listing = (reading: Reading, request: PageRequest<string>) => Promise<Page<unknown, string>>;

/** How many rows a page reads depends neither on the size of the organization nor on the layout of its data. */
export function exerciseFlatness(open: OpenPlace, layouts: readonly Layout[]): void {
  describe.each(layouts)("grants and closed spaces %s", (layout) => {
    let small: World;
    let large: World;
    let steps: Steps;

    beforeAll(async () => {
      steps = countSteps();
      small = await World.open(open);
      large = await World.open(open);
      await small.import([...shape(SMALL, layout), ...extrasOf(SMALL / PER_TEAM)]);
      await large.import([...shape(LARGE, layout), ...extrasOf(LARGE / PER_TEAM)]);
    }, 120_000);

    afterAll(async () => {
      steps.stop();
      await small.close();
      await large.close();
    });

    const flat: [string, Listing][] = [
      [
        "the users given something on a space",
        async (reading, page) => {
          const access = await accessGivenOn(reading, "space/narrow");
          if (access === undefined) throw new Error("The space is missing.");
          return effectiveMembers(reading, access, page);
        },
      ],
      ["everyone on an open space", aggregate("space/wide")],
      ["everyone on a closed space", aggregate("space/narrow")],
      ["everyone on a space that is closed but for one team", aggregate("space/skewed")],
      ["those who comment on an open space", aggregate("space/wide", "comment")],
      ["the role that one team alone has on an open space", aggregate("space/marked", "review")],
      ["everyone on a site", site],
      ["a member's spaces, newest first", spaces(1, "desc")],
      ["a member's spaces, oldest first", spaces(1, "asc")],
      ["a guest's spaces", spaces(24, "asc")],
      ["the spaces that a member in many teams reviews", spaces(BUSY, "asc", "review")],
      ["a member's teams", teamsOf(user(0))],
      ["the teams of a member in very many", teamsOf(user(SOCIAL))],
      ["the teams with a permission on a space", teamsOn("space/skewed")],
      ["the teams with a permission on a collection", teamsOn("collection/open")],
      ["all teams", allTeams],
      ["all collections", allCollections],
    ];

    test.each(flat)("%s: the rows of a page do not grow with the organization", async (_, listing) => {
      for (const at of [firstPage, lastFullPage]) {
        const few = await at(small, listing, steps);
        const many = await at(large, listing, steps);
        expect(few.rows).toBeGreaterThan(0);
        expect(many.rows).toBeLessThanOrEqual(few.rows * 1.5);
        expect(many.steps).toBeLessThanOrEqual(few.steps * 1.5);
        // A listing that ends too early would also read few rows.
        expect(many.entries).toBe(few.entries);
      }
    });

    test.each(["space/wide", "space/narrow", "space/skewed", "space/sparse", "collection/open"] as const)(
      "role counts on %s equal the lists, also filtered by role",
      async (key) => {
        const everyone = await everything(large, aggregate(key), 1000);
        const query = await accessOnContent(await readingOf(large), keyOf(key));
        if (query === undefined) throw new Error(`${key} is missing.`);
        const counts = await roleCounts(await readingOf(large), key, query);
        for (const role of ROLES) {
          const wanted = everyone.filter((entry) => roleIn(entry) === role);
          expect(counts[role], role).toBe(wanted.length);
          expect(await everything(large, aggregate(key, role), 999)).toEqual(wanted);
        }
      },
    );
  });
}

/** Teams of one or two members, and collections, without permissions. */
function extrasOf(count: number): SnapshotRecord[] {
  return Array.from({ length: count }, (_, place) => place).flatMap((place): SnapshotRecord[] => {
    const id = `t${place}`;
    const belongs = (index: number): SnapshotRecord => ({
      object: "teamMember",
      team: id,
      user: user(index),
      role: "member",
    });
    return [
      { object: "team", id, organization: SHAPE, title: id, createdAt: "2025-03-01T09:30:00.000Z" },
      { object: "collection", id, organization: SHAPE, title: id },
      ...[SOCIAL, ...(place < LISTED * count ? [BUSY] : [])].map(belongs),
    ];
  });
}

function keyOf(key: string) {
  const [kind, id = ""] = key.split("/");
  return contentKey(kind === "space" ? "space" : "collection", id);
}

export function aggregate(key: string, role?: Role): Listing {
  return async (reading, request) => {
    const query = await accessOnContent(reading, keyOf(key));
    if (query === undefined) throw new Error(`${key} is missing.`);
    return effectiveMembers(reading, query, request, role);
  };
}

function teamsOf(member: string): Listing {
  return async (reading, request) => {
    const page = await memberTeams(reading, member, request, "");
    if (page === undefined) throw new Error(`${member} is missing.`);
    return page;
  };
}

function teamsOn(key: string): Listing {
  return async (reading, request) => {
    const page = await teamPermissions(reading, keyOf(key), request);
    if (page === undefined) throw new Error(`${key} is missing.`);
    return page;
  };
}

export async function site(reading: Reading, request: PageRequest<string>): Promise<Page<unknown, string>> {
  const query = await accessOnSite(reading, "both");
  if (query === undefined) throw new Error("The site is missing.");
  return effectiveMembers(reading, query, request);
}

export function spaces(index: number, order: Order, role?: Role): Listing {
  return async (reading, request) => {
    const member = await memberOf(reading, user(index));
    if (member === undefined) throw new Error("The member is missing.");
    return memberSpaces(reading, await accessOf(reading, member), order, request, role);
  };
}

async function readingOf(world: World): Promise<Reading> {
  const organization = await world.store.registry.organization(SHAPE);
  if (organization === undefined) throw new Error("The organization is missing.");
  return world.store.reading(organization.current);
}

async function everything(world: World, listing: Listing, limit: number): Promise<unknown[]> {
  const entries: unknown[] = [];
  for (let after: string | undefined; ;) {
    const page = await listing(await readingOf(world), { after, limit });
    entries.push(...page.entries);
    if (page.next === undefined) return entries;
    after = page.next;
  }
}

/** The cost of a page that was not asked for before: entries, rows read, and steps of SQLite. */
interface Cost {
  readonly entries: number;
  readonly rows: number;
  readonly steps: number;
}

export async function firstPage(world: World, listing: Listing, steps: Steps): Promise<Cost> {
  return costOf(world, listing, steps, undefined);
}

/** The cost of the last page that is followed by another full page. */
async function lastFullPage(world: World, listing: Listing, steps: Steps): Promise<Cost> {
  const starts: (string | undefined)[] = [undefined];
  for (;;) {
    const page = await listing(await readingOf(world), { after: starts.at(-1), limit: PAGE });
    if (page.next === undefined) break;
    starts.push(page.next);
  }
  return costOf(world, listing, steps, starts.at(-3));
}

async function costOf(
  world: World,
  listing: Listing,
  steps: Steps,
  after: string | undefined,
): Promise<Cost> {
  world.store.cache.clear();
  // Chunks are read once, for all lists.
  for (const universe of [MEMBERS, SPACES] as const) {
    const loading = await readingOf(world);
    const index = await universeIndex(loading, universe);
    for (const number of index.chunks) await loadChunk(loading, universe, index, number);
  }
  // What a team gives is read once, for all its members.
  const busy = await memberOf(await readingOf(world), user(BUSY));
  for (const team of busy?.teams ?? []) await accessThrough(await readingOf(world), team);
  const reading = await readingOf(world);
  const before = steps.taken();
  const { entries } = await listing(reading, { after, limit: PAGE });
  return { entries: entries.length, rows: reading.rows, steps: steps.taken() - before };
}

function roleIn(entry: unknown): unknown {
  return Object(entry).role;
}
