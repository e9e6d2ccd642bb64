import { expect, test } from "vitest";
import { derived, type Model } from "../../src/model/model.ts";
import { next } from "../../src/model/next.ts";
import { type ModelKey, ModelMemory, sizeOf, usualMemory } from "../../src/store/model-memory.ts";
import { done } from "../model/expect-equal.ts";
import { modelOf } from "../model/model-of.ts";
import { factsOf } from "../oracle/facts.ts";
import { YEARLY, yearly } from "../postgres/yearly.ts";

const MODEL = yearlyModel();
const SIZE = sizeOf(MODEL);

const ofModel = derived([], () => new Uint8Array(SIZE));
const longLists = derived([], () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `name ${10_000 + at}`);
  return { names, byName: new Map(names.map((name) => [name, new Uint8Array(1_000)])) };
});

function yearlyModel(): Model {
  return modelOf(factsOf(yearly(1, 500), YEARLY));
}

function at(organization: string, revision: number, others: Partial<ModelKey> = {}): ModelKey {
  return { organization, revision, generation: 1, history: 0, erasures: 0, ...others };
}

/** Which of these are kept; looking uses them. */
function kept(memory: ModelMemory, keys: readonly ModelKey[]): ModelKey[] {
  return keys.filter((key) => memory.get(key) !== undefined);
}

test("the models used last stay, and their bytes are within the budget", () => {
  const memory = new ModelMemory(3.5 * SIZE);
  const keys = ["a", "b", "c", "d", "e"].map((id) => at(id, 1));
  for (const key of keys.slice(0, 3)) expect(memory.keep(key, yearlyModel())).toBe(true);
  expect(memory.bytes).toBe(3 * SIZE);
  expect(memory.get(keys[0] ?? at("", 0))).toBeDefined();
  memory.keep(at("d", 1), yearlyModel());
  expect(kept(memory, keys)).toEqual([at("a", 1), at("c", 1), at("d", 1)]);
  expect([memory.count, memory.bytes]).toEqual([3, 3 * SIZE]);
});

test("past models go first, however lately they were used", () => {
  const memory = new ModelMemory(3.5 * SIZE);
  memory.keep(at("a", 2), yearlyModel());
  memory.keep(at("b", 3), yearlyModel());
  memory.keep(at("b", 1), yearlyModel());
  expect(memory.isPast(at("b", 1))).toBe(true);
  memory.get(at("b", 1));
  memory.keep(at("c", 4), yearlyModel());
  expect(kept(memory, [at("a", 2), at("b", 1), at("b", 3), at("c", 4)])).toEqual([
    at("a", 2),
    at("b", 3),
    at("c", 4),
  ]);
});

test("a model becomes past when one of a newer revision is wanted", () => {
  const memory = new ModelMemory(2.5 * SIZE);
  memory.keep(at("a", 1), yearlyModel());
  memory.keep(at("b", 2), yearlyModel());
  expect(memory.isPast(at("b", 2))).toBe(false);
  expect(memory.get(at("b", 3))).toBeUndefined();
  expect(memory.isPast(at("b", 2))).toBe(true);
  memory.keep(at("b", 3), yearlyModel());
  expect(kept(memory, [at("a", 1), at("b", 2), at("b", 3)])).toEqual([at("a", 1), at("b", 3)]);
});

test("an organization at its newest revision and in a past walk stays, if there is room for two models", () => {
  const memory = new ModelMemory(2.5 * SIZE);
  memory.keep(at("a", 9), yearlyModel());
  for (const revision of [1, 2, 3]) {
    memory.keep(at("a", revision), yearlyModel());
    expect(kept(memory, [at("a", 1), at("a", 2), at("a", 3), at("a", 9)])).toEqual([
      at("a", revision),
      at("a", 9),
    ]);
  }
});

test("what is larger than the budget is not kept, and drives nothing out", () => {
  const memory = new ModelMemory(1.5 * SIZE);
  memory.keep(at("a", 1), MODEL);
  expect(memory.keep(at("b", 1), modelOf(factsOf(yearly(1, 1000), YEARLY)))).toBe(false);
  expect(kept(memory, [at("a", 1), at("b", 1)])).toEqual([at("a", 1)]);
  expect(memory.bytes).toBe(SIZE);
});

test("what models share counts once, as long as one of them is kept", () => {
  const title = (was: string, becomes: string) => [{ kind: "organization" as const, was, becomes }];
  const other = done(next(MODEL, title(MODEL.organization.title, "Another")));
  const memory = new ModelMemory(1.5 * SIZE);
  memory.keep(at("a", 1), MODEL);
  memory.keep(at("a", 2), other);
  expect(memory.count).toBe(2);
  expect(memory.bytes).toBeLessThan(1.1 * SIZE);
  memory.keep(at("b", 3), yearlyModel());
  expect(kept(memory, [at("a", 1), at("a", 2), at("b", 3)])).toEqual([at("b", 3)]);
  expect(memory.bytes).toBe(SIZE);
});

test.each<Partial<ModelKey>>([{ history: 1 }, { erasures: 1 }, { generation: 2 }])(
  "the same number with %j is another revision",
  (others) => {
    const memory = new ModelMemory(3 * SIZE);
    memory.keep(at("a", 1), MODEL);
    expect(memory.get(at("a", 1, others))).toBeUndefined();
    expect(memory.get(at("a", 1))).toBe(MODEL);
  },
);

test("counts the bytes of buffers and texts", () => {
  let arrays = 0;
  for (const { ids, profiles, teams, permissions, roles, omitted } of [MODEL.members]) {
    for (const { bytes, begins, ends } of [ids, profiles])
      arrays += bytes.length + begins.byteLength + ends.byteLength;
    for (const { at: from, entries } of [teams, permissions]) arrays += from.byteLength + entries.byteLength;
    arrays += roles.byteLength + omitted.byteLength;
  }
  expect(SIZE).toBeGreaterThan(arrays);
  expect(SIZE).toBeLessThan(arrays + 20_000);
});

test("what was worked out from a model counts when it is measured, and older models go for it", () => {
  let now = 0;
  const memory = new ModelMemory(2.5 * SIZE, () => ++now);
  const models = ["a", "b"].map((id) => ({ key: at(id, 1), model: yearlyModel() }));
  for (const { key, model } of models) memory.keep(key, model);
  for (const { key, model } of models) expect(memory.get(key)).toBe(model);
  ofModel(models[1]?.model ?? MODEL);
  expect(memory.bytes).toBe(2 * SIZE);
  done(memory.measure());
  expect(kept(memory, [at("a", 1), at("b", 1)])).toEqual([at("b", 1)]);
  expect(memory.bytes).toBe(2 * SIZE);
});

test("a long list that was worked out is estimated by its first entries", () => {
  const memory = new ModelMemory(1e9);
  const model = yearlyModel();
  memory.keep(at("a", 1), model);
  memory.get(at("a", 1));
  longLists(model);
  done(memory.measure());
  const worked = memory.bytes - SIZE;
  // Ten thousand names of ten characters, twice, and as many arrays of 1,000 bytes.
  expect(worked).toBeGreaterThan(10_000 * (1_000 + 2 * 20));
  expect(worked).toBeLessThan(10_000 * (1_300 + 2 * 60));
});

test("half of the memory of the machine is used, or less", () => {
  expect(usualMemory()).toBeGreaterThan(100e6);
  expect(usualMemory()).toBeLessThanOrEqual(2e9);
});
