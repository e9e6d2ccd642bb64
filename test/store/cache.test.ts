import { expect, test } from "vitest";
import { ROLES } from "../../src/domain/role.ts";
import { type CacheKind, RevisionCache } from "../../src/store/cache.ts";

const BYTES = 1 << 20;
const AT = { revision: 1, generation: 1, history: 0, erasures: 0 };
const TEXTS: CacheKind<{ text: string }> = { name: "text", bytes: ({ text }) => 2 * text.length };
const LISTS: CacheKind<readonly string[]> = { name: "list", bytes: (ids) => 50 * ids.length };
const IDS = Array.from({ length: 100 }, (_, index) => `user ${index}`);

const never = () => Promise.reject(new Error("It is not kept."));

test("all kinds together never exceed the limit, and one kind may use all of it", async () => {
  const cache = new RevisionCache(BYTES);
  const keep = [
    (number: number) => cache.once(TEXTS, AT, String(number), async () => ({ text: "x".repeat(1_000) })),
    (number: number) => cache.once(LISTS, AT, String(number), async () => IDS),
  ];
  for (const each of [...keep, ...keep]) {
    for (let number = 0; number < 3_000; number++) {
      await each(number);
      expect(cache.bytes).toBeLessThanOrEqual(BYTES);
    }
    expect(cache.bytes).toBeGreaterThan(0.9 * BYTES);
  }
  cache.clear();
  expect(cache.bytes).toBe(0);
});

test("counts the values that left to make room, and those that are larger than all of it", async () => {
  const cache = new RevisionCache(10_000);
  const text = (length: number) => ({ text: "x".repeat(length) });
  const keep = (key: string, length: number) => cache.once(TEXTS, AT, key, async () => text(length));
  for (const key of ["1", "2", "1"]) await keep(key, 2_000);
  expect(cache.evicted).toBe(0);
  await keep("3", 2_000);
  expect(cache.evicted).toBe(1);
  await expect(cache.once(TEXTS, AT, "2", never)).rejects.toThrow("It is not kept.");
  expect(await keep("4", 6_000)).toEqual(text(6_000));
  expect(cache.evicted).toBe(2);
  await expect(cache.once(TEXTS, AT, "4", never)).rejects.toThrow("It is not kept.");
});

test("repeatedly used values stay; kinds and revisions are separate", async () => {
  const cache = new RevisionCache(BYTES);
  await cache.once(LISTS, AT, "again", async () => IDS);
  for (let number = 0; number < 3_000; number++) {
    await cache.once(LISTS, AT, `once ${number}`, async () => IDS);
    expect(await cache.once(LISTS, AT, "again", never)).toBe(IDS);
  }
  await expect(cache.once(TEXTS, AT, "again", never)).rejects.toThrow("It is not kept.");
  for (const other of [{ revision: 2 }, { erasures: 2 }, { history: 2 }, { generation: 2 }]) {
    await expect(cache.once(LISTS, { ...AT, ...other }, "again", never)).rejects.toThrow("It is not kept.");
  }
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
