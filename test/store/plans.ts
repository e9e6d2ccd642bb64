import { afterAll, beforeAll, expect, test } from "vitest";
import type { Decision } from "../../src/domain/access.ts";
import { contentKey } from "../../src/domain/content.ts";
import { ABOVE_ALL } from "../../src/domain/order.ts";
import type { Page, PageRequest } from "../../src/domain/page.ts";
import { ROLES } from "../../src/domain/role.ts";
import { effectiveMembers } from "../../src/store/listings/effective.ts";
import type { Order } from "../../src/store/heads.ts";
import { memberSpaces } from "../../src/store/listings/member-spaces.ts";
import { memberTeams } from "../../src/store/listings/member-teams.ts";
import { userPermissions } from "../../src/store/listings/permissions.ts";
import { ladderFor, memberOf } from "../../src/store/members.ts";
import { membersByRole } from "../../src/store/mix.ts";
import type { PlanName } from "../../src/store/plan.ts";
import type { Reading } from "../../src/store/reading.ts";
import { openSite } from "../../src/store/sites.ts";
import { type Slice, slices } from "../../src/store/slices.ts";
import { contentTarget, postingsOf, type Target } from "../../src/store/target.ts";
import type { OpenPlace } from "../world.ts";
import { World } from "../world.ts";
import { isAdmin, SHAPE, shape, user } from "./shape.ts";

const PAGE = 20;

type Listing = (reading: Reading, request: PageRequest<string>) => Promise<Page<unknown, string>>;

/** The two plans give the same lists, and what a page reads does not depend on how large the organization is. */
export function exercisePlans(open: OpenPlace): void {
  let small: World;
  let large: World;

  beforeAll(async () => {
    small = await World.open(open);
    large = await World.open(open);
    await small.import(shape(1_000));
    await large.import(shape(20_000));
  }, 120_000);

  afterAll(async () => {
    await small.close();
    await large.close();
  });

  test.each(["space/wide", "space/narrow", "space/sparse", "space/empty", "collection/closed"] as const)(
    "driving and merging list the same members on %s, with and without a role",
    async (key) => {
      for (const role of [undefined, ...ROLES]) {
        const lists = [];
        for (const plan of ["drive", "merge", undefined] as const) {
          lists.push(await everything(small, aggregate(key, role, plan), 37));
        }
        expect(lists[0], `${key} ${role}`).toEqual(lists[1]);
        expect(lists[2], `${key} ${role}`).toEqual(lists[1]);
      }
    },
  );

  test.each(["asc", "desc"] as const)(
    "driving and merging list the same spaces of a member, %s",
    async (order) => {
      for (const index of [0, 3, 4, 7, 500, 501]) {
        const drive = await everything(small, spaces(index, order, "drive"), 17);
        expect(await everything(small, spaces(index, order, "merge"), 17)).toEqual(drive);
        expect(await everything(small, spaces(index, order), 17)).toEqual(drive);
      }
    },
  );

  const flat: [string, Listing][] = [
    [
      "the users given something on a space",
      (reading, page) => userPermissions(reading, "space/narrow", page),
    ],
    ["everyone on an open space", aggregate("space/wide")],
    ["everyone on a closed space", aggregate("space/narrow")],
    ["everyone on a closed space, by driving", aggregate("space/narrow", undefined, "drive")],
    ["everyone on an open space, by merging", aggregate("space/wide", undefined, "merge")],
    ["those who comment on an open space", aggregate("space/wide", "comment")],
    ["everyone on a site", site],
    ["a member's spaces", spaces(1, "desc")],
    ["a guest's spaces", spaces(24, "asc")],
    ["a member's teams", (reading, page) => memberTeams(reading, user(0), page, "")],
  ];

  test.each(flat)("%s: the rows of a page do not grow with the organization", async (_, listing) => {
    for (const at of [firstPage, lastFullPage]) {
      const few = await at(small, listing);
      const many = await at(large, listing);
      expect(few).toBeGreaterThan(0);
      expect(many).toBeGreaterThanOrEqual(few * 0.9);
      expect(many).toBeLessThanOrEqual(few * 1.1);
    }
  });

  test("a role that nearly every candidate is outranked for is still listed whole", async () => {
    const kept = Array.from({ length: 21 }, (_, index) => index * 999).filter((index) => !isAdmin(index));
    const listed = await everything(large, aggregate("space/sparse", "edit"), 4);
    expect(listed.map(idOf)).toEqual(kept.map(user));
  });

  test.each(["space/wide", "space/narrow", "space/sparse", "collection/open"] as const)(
    "the roles on %s are counted alike from members and from whole lists",
    async (key) => {
      const everyone = await everything(large, aggregate(key), 1000);
      const counted = ROLES.map((role) => everyone.filter((entry) => roleOf(entry) === role).length);
      for (const few of [Infinity, 0]) {
        large.store.cache.clear();
        const reading = await readingOf(large);
        const mix = await membersByRole(reading, await targetOf(reading, key), few);
        expect(ROLES.map((role) => mix[role])).toEqual(counted);
      }
    },
  );

  test("slices follow each other, and none holds more of a list than the largest one does", async () => {
    const reading = await readingOf(large);
    const target = await targetOf(reading, "space/wide");
    const lists = postingsOf(target, reading.at.counts);
    const cut: Slice[] = [];
    for await (const slice of slices(reading, lists, "", 500)) cut.push(slice);
    expect(cut.map(({ after }) => after)).toEqual(["", ...cut.slice(0, -1).map(({ upTo }) => upTo)]);
    expect(cut.at(-1)?.upTo).toBe(ABOVE_ALL);
    expect(cut.length).toBe(reading.distant ? 1 : Math.floor(most(lists) / 500) + 1);
  });
}

function most(lists: readonly { readonly size: number }[]): number {
  return Math.max(...lists.map(({ size }) => size));
}

function aggregate(key: string, role?: (typeof ROLES)[number], plan?: PlanName): Listing {
  return async (reading, request) =>
    effectiveMembers(reading, await targetOf(reading, key), request, role, plan);
}

async function targetOf(reading: Reading, key: string): Promise<Target<Decision>> {
  const [kind, id = ""] = key.split("/");
  const ladder = await ladderFor(reading, contentKey(kind === "space" ? "space" : "collection", id));
  return contentTarget(ladder ?? []);
}

async function site(reading: Reading, request: PageRequest<string>): Promise<Page<unknown, string>> {
  const target = await openSite(reading, "both");
  if (target === undefined) throw new Error("The site is missing.");
  return effectiveMembers(reading, target, request);
}

function spaces(index: number, order: Order, plan?: PlanName): Listing {
  return async (reading, request) => {
    const member = await memberOf(reading, user(index));
    if (member === undefined) throw new Error("The member is missing.");
    return memberSpaces(reading, member, order, request, undefined, plan);
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

/** The rows that a first page reads, with nothing remembered. */
async function firstPage(world: World, listing: Listing): Promise<number> {
  return rowsOf(world, listing, undefined);
}

/** The rows that the deepest page reads that has another full page behind it, with nothing remembered. */
async function lastFullPage(world: World, listing: Listing): Promise<number> {
  const starts: (string | undefined)[] = [undefined];
  for (;;) {
    const page = await listing(await readingOf(world), { after: starts.at(-1), limit: PAGE });
    if (page.next === undefined) break;
    starts.push(page.next);
  }
  return rowsOf(world, listing, starts.at(-3));
}

async function rowsOf(world: World, listing: Listing, after: string | undefined): Promise<number> {
  world.store.cache.clear();
  const reading = await readingOf(world);
  await listing(reading, { after, limit: PAGE });
  return reading.rows;
}

function idOf(entry: unknown): unknown {
  return typeof entry === "object" && entry !== null && "id" in entry ? entry.id : undefined;
}

function roleOf(entry: unknown): unknown {
  const { found }: { found?: { role: string } } = Object(entry);
  return found?.role;
}
