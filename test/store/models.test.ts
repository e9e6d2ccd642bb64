/** Which models a process loads, and for whom. */
import { expect, onTestFinished, test } from "vitest";
import { modelOf, Models } from "../../src/store/models.ts";
import { Store } from "../../src/store/store.ts";
import type { ModelKey } from "../../src/store/model-memory.ts";
import { forgetUser } from "../../src/store/rows/forget.ts";
import { removeOrganization } from "../../src/store/revisions/organizations.ts";
import { YEARLY, yearly } from "../postgres/yearly.ts";
import { sqlitePlace, World } from "../world.ts";

async function worldOf(...years: number[]): Promise<World> {
  const world = await World.open(sqlitePlace);
  onTestFinished(() => world.close());
  for (const year of years) await world.import(yearly(year));
  return world;
}

async function currentOf({ registry }: Store) {
  const organization = await registry.organization(YEARLY);
  if (organization === undefined) throw new Error("There is no organization.");
  return organization.current;
}

/** A store with models of its own, and what they warn of. */
function storeWith(
  { store: { engine } }: World,
  bytes: number,
  now?: () => number,
): { store: Store; warnings: string[] } {
  const warnings: string[] = [];
  const models = new Models({ bytes, warn: (message) => warnings.push(message), now });
  return { store: new Store(engine, undefined, models), warnings };
}

const MB = 1e6;

test("requests share one load, and later ones what is kept", async () => {
  const { store, warnings } = storeWith(await worldOf(1), MB);
  const at = await currentOf(store);
  const models = await Promise.all([1, 2, 3].map(() => modelOf(store.reading(at))));
  expect(new Set([...models, await modelOf(store.reading(at))]).size).toBe(1);
  expect(store.models.loads).toBe(1);
  expect(warnings).toEqual([]);
});

test("an organization larger than the budget answers those who ask together from one load, and is warned of once", async () => {
  const { store, warnings } = storeWith(await worldOf(1), 1000);
  const at = await currentOf(store);
  const asked = async (key: ModelKey) => (await modelOf(store.reading({ ...at, ...key }))).organization.title;
  expect(await Promise.all([asked(at), asked(at)])).toEqual(["Year 1", "Year 1"]);
  expect(store.models.loads).toBe(1);
  expect(await asked({ ...at, history: 0 })).toBe("Year 1");
  expect(warnings).toEqual([
    expect.stringMatching(
      /^Organization yearly takes 1 MB of memory, and this process may keep 1 MB \(ROLEBOOK_MEMORY\)/,
    ),
  ]);
});

test("a failed load fails those who wait for it, and the next request loads again", async () => {
  const { store } = storeWith(await worldOf(1), MB);
  const at = await currentOf(store);
  const broken = { ...store.engine, read: () => Promise.reject(new Error("gone")) };
  const outcomes = await Promise.allSettled([modelOf(store.reading(at, broken)), modelOf(store.reading(at))]);
  const failed = { status: "rejected", reason: { message: "gone" } };
  expect(outcomes).toMatchObject([failed, failed]);
  expect((await modelOf(store.reading(at))).organization.title).toBe("Year 1");
});

test("a model of before a person was forgotten goes, also if nobody asks; others stay", async () => {
  const world = await worldOf(1);
  const { store } = storeWith(world, MB);
  await modelOf(store.reading(await currentOf(store)));
  await world.import(yearly(2, 11));
  await modelOf(store.reading(await currentOf(store)));
  await world.import([{ object: "organization", id: "other", title: "Other" }]);
  const other = await store.registry.organization("other");
  if (other !== undefined) await modelOf(store.reading(other.current));
  await store.models.forget(store.engine);
  expect(store.models.count).toBe(3);
  await forgetUser(store.engine, YEARLY, "u00011", () => {});
  await store.models.forget(store.engine);
  expect(store.models.count).toBe(1);
});

test("the models of a removed organization go", async () => {
  const { store } = storeWith(await worldOf(1), MB);
  await modelOf(store.reading(await currentOf(store)));
  await removeOrganization(store.engine, YEARLY, () => {});
  await store.models.forget(store.engine);
  expect([store.models.count, store.models.bytes]).toEqual([0, 0]);
});

test("a past model that nobody used for a minute goes, the newest stays", async () => {
  const world = await worldOf(1);
  let now = 0;
  const { store } = storeWith(world, MB, () => now);
  const first = await currentOf(store);
  await modelOf(store.reading(first));
  await world.import(yearly(2));
  await modelOf(store.reading(await currentOf(store)));
  const left = async (seconds: number) => {
    now += seconds * 1000;
    await store.models.forget(store.engine);
    return store.models.count;
  };
  expect(await left(60)).toBe(2);
  await modelOf(store.reading(first));
  expect(await left(59)).toBe(2);
  expect(await left(2)).toBe(1);
  expect(await left(1000)).toBe(1);
});
