import { expect, test } from "vitest";
import { ROLES } from "../../src/domain/role.ts";
import { type CacheKind, RevisionCache } from "../../src/store/cache.ts";

const BYTES = 1 << 20;
const NOBODY = { read: 0, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
const AT = {
  revision: 1,
  generation: 1,
  history: 0,
  erasures: 0,
  organization: "o",
  title: "O",
  importedAt: "2026-01-01T00:00:00.000Z",
  counts: {
    members: 0,
    roles: { ...NOBODY, guest: 0 },
    teams: 0,
    teamMembers: 0,
    collections: 0,
    spaces: 0,
    sites: 0,
    siteSpaces: 0,
    permissions: 0,
  },
};
const TEXTS: CacheKind<{ text: string }> = { name: "text", bytes: ({ text }) => 2 * text.length };
const LISTS: CacheKind<readonly string[]> = { name: "list", bytes: (ids) => 50 * ids.length };
const IDS = Array.from({ length: 100 }, (_, index) => `user ${index}`);

test("all kinds together never exceed the limit, and one kind may use all of it", () => {
  const cache = new RevisionCache(BYTES);
  const keep = [
    (number: number) => cache.keep(TEXTS, AT, String(number), { text: "x".repeat(1_000) }),
    (number: number) => cache.keep(LISTS, AT, String(number), IDS),
  ];
  for (const each of [...keep, ...keep]) {
    for (let number = 0; number < 3_000; number++) {
      each(number);
      expect(cache.bytes).toBeLessThanOrEqual(BYTES);
    }
    expect(cache.bytes).toBeGreaterThan(0.9 * BYTES);
  }
  cache.clear();
  expect(cache.bytes).toBe(0);
});

test("counts the values that left to make room, and those that are larger than all of it", () => {
  const cache = new RevisionCache(10_000);
  const keep = (key: string, length: number) => cache.keep(TEXTS, AT, key, { text: "x".repeat(length) });
  for (const key of ["1", "2", "1"]) keep(key, 2_000);
  expect(cache.evicted).toBe(0);
  keep("3", 2_000);
  expect([cache.evicted, cache.get(TEXTS, AT, "2")]).toEqual([1, undefined]);
  keep("4", 6_000);
  expect([cache.evicted, cache.get(TEXTS, AT, "4")]).toEqual([2, undefined]);
});

test("repeatedly used values stay; kinds and revisions are separate", () => {
  const cache = new RevisionCache(BYTES);
  cache.keep(LISTS, AT, "again", IDS);
  for (let number = 0; number < 3_000; number++) {
    cache.keep(LISTS, AT, `once ${number}`, IDS);
    expect(cache.get(LISTS, AT, "again")).toBe(IDS);
  }
  expect(cache.get(TEXTS, AT, "again")).toBeUndefined();
  for (const other of [{ revision: 2 }, { erasures: 2 }, { history: 2 }]) {
    expect(cache.get(LISTS, { ...AT, ...other }, "again")).toBeUndefined();
  }
});

test("a value holds after changes that do not touch it, if all of them were read", () => {
  const kind: CacheKind<readonly string[]> = {
    ...LISTS,
    name: "held",
    isTouched: (_, key, { contents }) => contents.has(key),
  };
  const at = (revision: number) => ({ ...AT, revision });
  const touching = (...contents: string[]) => ({
    members: [],
    haveMoved: false,
    contents: new Set(contents),
    given: new Set<string>(),
  });
  const holds = (cache: RevisionCache) =>
    ["a", "b"].map((key) => [1, 2, 3].map((revision) => cache.get(kind, at(revision), key) !== undefined));
  const cache = new RevisionCache(BYTES);
  for (const key of ["a", "b"]) cache.keep(kind, at(1), key, IDS);
  cache.extend(1, at(2), touching("a"));
  cache.extend(2, at(3), touching());
  expect(holds(cache)).toEqual([
    [true, false, false],
    [true, true, true],
  ]);
  // The changes were read for values that are gone. What came instead is older than these changes.
  cache.clear();
  for (const key of ["a", "b"]) cache.keep(kind, at(1), key, IDS);
  cache.extend(2, at(3), touching());
  expect(holds(cache)).toEqual([
    [true, false, false],
    [true, false, false],
  ]);
});

test("a value is computed once for concurrent callers, and failures are not cached", async () => {
  const cache = new RevisionCache(BYTES);
  let times = 0;
  const find = async () => {
    times++;
    await new Promise((resolve) => setImmediate(resolve));
    if (times === 1) throw new Error("lost");
    return IDS;
  };
  const ask = () => Promise.allSettled(ROLES.map(() => cache.once(LISTS, AT, "list", find)));
  expect((await ask()).map(({ status }) => status)).toEqual(ROLES.map(() => "rejected"));
  expect(await ask()).toEqual(ROLES.map(() => ({ status: "fulfilled", value: IDS })));
  expect(times).toBe(2);
  expect(await cache.once(LISTS, AT, "list", () => Promise.reject(new Error("gone")))).toBe(IDS);
});
