/**
 * How many numbers of a model a page reads depends neither on the size of the organization nor on where the page begins,
 * nor on the layout of its data.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Model } from "../../src/model/model.ts";
import { OPERATIONS } from "../../src/operations/operations.ts";
import { type Filters, readFilters } from "../../src/operations/parameters.ts";
import { modelOf } from "../../src/store/models.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { SHAPE, shape, type Layout, user } from "../store/shape.ts";
import { sqlitePlace, World } from "../world.ts";

const PAGE = 20;
/** Numbers of members. */
const SMALL = 1_000;
const LARGE = 10_000;

/** The number of teams of this member grows with the organization, from few to many. */
const SOCIAL = 6;
const PER_TEAM = 30;

interface Counted {
  readonly model: Model;
  /** How many numbers were read so far. */
  reads: number;
}

async function counted(world: World): Promise<Counted> {
  const found = await world.store.registry.organization(SHAPE);
  if (found === undefined) throw new Error("The organization is missing.");
  const model = await modelOf(world.store.reading(found.current));
  const result: Counted = { reads: 0, model };
  const wrapped = (value: object): object => {
    if (Buffer.isBuffer(value)) return value;
    if (!ArrayBuffer.isView(value) && !Array.isArray(value)) {
      const parts: [string, unknown][] = Object.entries(value);
      return Object.fromEntries(
        parts.map(([name, part]) => [name, typeof part === "object" && part !== null ? wrapped(part) : part]),
      );
    }
    return new Proxy(value, {
      get(target, property) {
        const part: unknown = Reflect.get(target, property, target);
        if (typeof property === "string" && /^\d+$/.test(property)) result.reads++;
        if (typeof part !== "function") return part;
        return (...given: unknown[]) => {
          const made: unknown = Reflect.apply(part, target, given);
          if (property === "subarray" && typeof made === "object" && made !== null) return wrapped(made);
          // Whatever else an array does looks at all of it.
          result.reads += Number(Reflect.get(target, "length", target));
          return made;
        };
      },
    });
  };
  // What is derived belongs to the model that counts.
  return Object.assign(result, { model: wrapped(model) });
}

interface Asked {
  /** The number of the endpoint. */
  readonly endpoint: number;
  readonly path?: Readonly<Record<string, string>>;
  readonly filters?: Readonly<Record<string, string>>;
}

const PAGES: readonly [string, Asked][] = [
  ["the users given something on a space", { endpoint: 1, path: { spaceId: "narrow" } }],
  ["the teams with a permission on a space", { endpoint: 2, path: { spaceId: "skewed" } }],
  ["everyone on an open space", { endpoint: 3, path: { spaceId: "wide" } }],
  ["everyone on a closed space", { endpoint: 3, path: { spaceId: "narrow" } }],
  ["everyone on a space that is closed but for one team", { endpoint: 3, path: { spaceId: "skewed" } }],
  [
    "those who comment on an open space",
    { endpoint: 3, path: { spaceId: "wide" }, filters: { role: "comment" } },
  ],
  [
    "the role that one team alone has on an open space",
    { endpoint: 3, path: { spaceId: "marked" }, filters: { role: "review" } },
  ],
  ["the role that nobody has", { endpoint: 3, path: { spaceId: "narrow" }, filters: { role: "create" } }],
  ["the teams with a permission on a collection", { endpoint: 4, path: { collectionId: "open" } }],
  ["a member's spaces, newest first", { endpoint: 7, path: { userId: user(1) } }],
  ["a member's spaces, oldest first", { endpoint: 7, path: { userId: user(1) }, filters: { order: "asc" } }],
  ["a guest's spaces", { endpoint: 7, path: { userId: user(24) }, filters: { order: "asc" } }],
  ["everyone on a site", { endpoint: 8, path: { siteId: "both" } }],
  ["a member's teams", { endpoint: 9, path: { userId: user(0) } }],
  ["the teams of a member in very many", { endpoint: 9, path: { userId: user(SOCIAL) } }],
  ["all members", { endpoint: 10 }],
  ["all teams", { endpoint: 11 }],
  ["all spaces", { endpoint: 12 }],
  ["all collections", { endpoint: 13 }],
  ["everyone on a site by name", { endpoint: 8, path: { siteId: "both" }, filters: { sort: "name" } }],
  [
    "who is on a site with a role, a name and a team",
    { endpoint: 8, path: { siteId: "both" }, filters: { role: "edit", search: "member", team: "large" } },
  ],
  ["members with a text in their addresses", { endpoint: 10, filters: { search: "@shape" } }],
  ["members with a role, by name", { endpoint: 10, filters: { role: "read", sort: "name", order: "asc" } }],
  ["teams with a title", { endpoint: 11, filters: { title: "e" } }],
  ["the sites", { endpoint: 14 }],
  ["the members of a team", { endpoint: 15, path: { teamId: "large" } }],
  ["the spaces of a site", { endpoint: 16, path: { siteId: "both" } }],
  ["the users with a permission on a site", { endpoint: 18, path: { siteId: "both" } }],
  ["the teams with a permission on a site", { endpoint: 19, path: { siteId: "both" } }],
  ["the spaces in a collection", { endpoint: 17, path: { collectionId: "open" } }],
];

describe.each<Layout>(["spread", "first", "last"])("grants and closed spaces %s", (layout) => {
  const worlds: World[] = [];
  let small: Counted;
  let large: Counted;

  beforeAll(async () => {
    const opened = async (members: number) => {
      const world = await World.open(sqlitePlace);
      worlds.push(world);
      await world.import([...shape(members, layout), ...extrasOf(members / PER_TEAM)]);
      return counted(world);
    };
    small = await opened(SMALL);
    large = await opened(LARGE);
  });
  afterAll(async () => {
    for (const world of worlds) await world.close();
  });

  test.each(PAGES)("%s: what a page reads does not grow with the organization", (_, asked) => {
    // The first walk may work out what all later ones use.
    for (const each of [small, large]) walk(each, asked);
    const few = walk(small, asked);
    const many = walk(large, asked);
    for (const at of [0, 1, -2]) {
      const [one, other] = [few.at(at) ?? few.at(-1), many.at(at) ?? many.at(-1)];
      expect(other?.reads).toBeLessThanOrEqual(1.5 * (one?.reads ?? 0) + 2 * Math.log2(LARGE));
      // A page that ends too early would also read few numbers.
      if (few.length > 2) expect(other?.entries).toBe(one?.entries);
    }
    expect(many.map(({ entries }) => entries).reduce((sum, entries) => sum + entries)).toBe(
      walk(large, asked, 1000).reduce((sum, { entries }) => sum + entries, 0),
    );
  });
});

interface PageRead {
  readonly entries: number;
  readonly reads: number;
}

function toEnd<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** All pages of a list, each with what it read. */
function walk(from: Counted, { endpoint, path = {}, filters = {} }: Asked, limit = PAGE): PageRead[] {
  const operation = OPERATIONS[endpoint - 1];
  if (operation === undefined) throw new Error(`There is no endpoint ${endpoint}.`);
  const asked: Filters = readFilters(operation.filters, new Map(Object.entries(filters)));
  const pages: PageRead[] = [];
  for (let after: string | undefined; ;) {
    const before = from.reads;
    const narrowing = operation.narrow?.(from.model, { path, filters: asked });
    const narrowed = narrowing && toEnd(narrowing);
    const page = operation.list(
      from.model,
      { path, filters: asked, page: { after, limit }, narrowed },
      { publicUrl: "https://example.com" },
    );
    if (page === undefined) throw new Error("The subject is missing.");
    pages.push({ entries: page.entries.length, reads: from.reads - before });
    if (page.next === undefined) return pages;
    after = page.next;
  }
}

/** Teams of one member, and collections, without permissions. */
function extrasOf(count: number): SnapshotRecord[] {
  return Array.from({ length: count }, (_, place) => `t${place}`).flatMap((id): SnapshotRecord[] => [
    { object: "team", id, organization: SHAPE, title: id, createdAt: "2025-03-01T09:30:00.000Z" },
    { object: "collection", id, organization: SHAPE, title: id },
    { object: "teamMember", team: id, user: user(SOCIAL), role: "member" },
  ]);
}
