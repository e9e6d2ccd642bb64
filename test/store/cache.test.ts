import { expect, test } from "vitest";
import { contentKey } from "../../src/domain/content.ts";
import { ROLES } from "../../src/domain/role.ts";
import { SnapshotCache } from "../../src/store/cache.ts";
import { Content } from "../../src/store/content.ts";
import { siteTarget } from "../../src/store/site-target.ts";

const BYTES = 1 << 20;
const ROLE_COUNTS = { read: 1, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
const AT = {
  snapshot: 1,
  history: 0,
  organization: "o",
  title: "O",
  importedAt: "2026-01-01T00:00:00.000Z",
  counts: {
    members: 0,
    roles: { ...ROLE_COUNTS, guest: 0 },
    teams: 0,
    teamMembers: 0,
    collections: 0,
    spaces: 0,
    openSpaces: 0,
    sites: 0,
    siteSpaces: 0,
    permissions: 0,
  },
};
const IDS = Array.from({ length: 100 }, (_, index) => `user ${index}`);

/** Every kind of thing that is kept, put in by its number. */
const KINDS: Record<string, (cache: SnapshotCache, number: number) => unknown> = {
  contents: (cache, number) => cache.keepContent(AT, contentOf(number)),
  trees: (cache, number) =>
    cache.keepSpacesOfSite(
      AT,
      `site ${number}`,
      IDS.map((id) => contentKey("space", id)),
    ),
  sites: (cache, number) =>
    cache.site(AT, `site ${number}`, async () => siteTarget("site", [[contentOf(number)]])),
  lists: (cache, number) =>
    cache.keepMembers(AT, `list ${number}`, "", async () => ({ after: "", ids: IDS, upTo: undefined })),
  members: (cache, number) =>
    cache.keepMember(AT, {
      id: `member ${number}`,
      role: "read",
      teams: IDS,
      direct: new Map(),
      document: { text: "{}", omitted: 0 },
      many: false,
    }),
  given: (cache, number) => cache.keepCollectionsGiven(AT, `member ${number}`, IDS),
  mixes: (cache, number) => cache.mix(AT, `mix ${number}`, async () => ROLE_COUNTS),
};

function contentOf(number: number): Content {
  return new Content(contentKey("space", String(number)), [null, "", 1, "", ""]);
}

test("all kinds together never hold more than they are given, and one alone may have all of it", async () => {
  const cache = new SnapshotCache(BYTES);
  for (let round = 0; round < 2; round++) {
    for (const [kind, keep] of Object.entries(KINDS)) {
      for (let number = 0; number < 3_000; number++) {
        await keep(cache, number);
        expect(cache.bytes, kind).toBeLessThanOrEqual(BYTES);
      }
      expect(cache.bytes, kind).toBeGreaterThan(0.9 * BYTES);
    }
  }
  for (const keep of [KINDS.contents, KINDS.members]) {
    cache.clear();
    expect(cache.bytes).toBe(0);
    for (let number = 0; number < 3_000; number++) keep?.(cache, number);
    expect(cache.bytes).toBeGreaterThan(0.9 * BYTES);
  }
});

test("what is asked for again stays, and so does what takes little", async () => {
  const cache = new SnapshotCache(BYTES);
  await cache.mix(AT, "small", async () => ROLE_COUNTS);
  cache.keepCollectionsGiven(AT, "again", IDS);
  for (let number = 0; number < 3_000; number++) {
    cache.keepCollectionsGiven(AT, `once ${number}`, IDS);
    expect(cache.collectionsGiven(AT, "again")).toBe(IDS);
  }
  expect(await cache.mix(AT, "small", () => Promise.reject(new Error("gone")))).toBe(ROLE_COUNTS);
});

test("what is worked out is worked out once for all who wait, and what failed is not remembered", async () => {
  const cache = new SnapshotCache(BYTES);
  const kept = { after: "", ids: IDS, upTo: undefined };
  let times = 0;
  const find = async () => {
    times++;
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (times === 1) throw new Error("lost");
    return kept;
  };
  const ask = () => Promise.allSettled(ROLES.map(() => cache.keepMembers(AT, "list", "", find)));
  expect((await ask()).map(({ status }) => status)).toEqual(ROLES.map(() => "rejected"));
  expect(await ask()).toEqual(ROLES.map(() => ({ status: "fulfilled", value: kept })));
  expect(times).toBe(2);
  // A walk that has passed the first ones asks for others.
  await Promise.all([cache.keepMembers(AT, "list", "", find), cache.keepMembers(AT, "list", "user 9", find)]);
  expect(times).toBe(4);
});
