/** Lists and texts of the next model where they are long, so that they are copied in turns. */
import { expect, test } from "vitest";
import { type Lists, ListWriter, packed, PERMISSION } from "../../src/model/lists.ts";
import { merged, permuted, unmoved } from "../../src/model/numbering.ts";
import { ascending, patched, type Relation } from "../../src/model/patch.ts";
import type { Place, Places } from "../../src/model/places.ts";
import { restated, textOf, TextWriter, type Texts } from "../../src/model/texts.ts";
import { randomOf } from "../oracle/random/values.ts";
import { SEED } from "../setup/seed.ts";
import { done } from "./expect-equal.ts";

const seeds = [SEED ?? Date.now()];
const change = { kind: "permission", was: undefined, becomes: undefined } as const;

function listsOf(lists: readonly (readonly number[])[]): Lists {
  const writer = new ListWriter();
  for (const list of lists) {
    for (const entry of list) writer.add(entry);
    writer.end();
  }
  return writer.lists();
}

/** Comparing a million numbers one by one takes an assertion seconds. */
function firstDifference(lists: Lists, expected: Lists): string | undefined {
  for (const side of ["at", "entries"] as const) {
    const [found, wanted] = [lists[side], expected[side]];
    for (let i = 0; i < Math.max(found.length, wanted.length); i++)
      if (found[i] !== wanted[i]) return `${side}[${i}] is ${found[i]}, expected: ${wanted[i]}`;
  }
  return undefined;
}

/** Things with a numbering alone. */
function placed(numbering: Places["numbering"]): Places {
  return {
    numbering,
    came: new Map(),
    of: () => {
      throw new Error("Nothing is looked up by its name.");
    },
  };
}

test.each(seeds)("lists of many entries are those written anew, seed %i", (seed) => {
  const random = randomOf(seed);
  const below = (count: number) => Math.floor(random() * count);
  const things = 700_000;
  const lists = [0.9, 0.001, 0, 0.3].map((share) =>
    Array.from({ length: things }, (_, number) => packed(number, PERMISSION, 1 + below(6))).filter(
      () => random() < share,
    ),
  );
  const [gone, places] = [new Set<number>(), new Set<number>()];
  while (gone.size < 100) gone.add(below(things));
  while (places.size < 100) places.add(below(things + 1));
  const ascend = (a: number, b: number) => a - b;
  const numbering = merged(things, [...gone].sort(ascend), [...places].sort(ascend));
  const newcomers = [...places].sort(ascend).map((was, at): Place => ({
    was,
    now: numbering.came[at] ?? 0,
    isNew: true,
  }));
  // The first list goes to the end, one is new, and the second one goes.
  const rows = permuted(Int32Array.of(2, -1, 3, 0), lists.length);
  const listAt = (was: number): Place => ({ was, now: rows.now?.[was] ?? -1, isNew: false });
  const relations: Relation[] = [];
  const expected = [2, -1, 3, 0].map((was) => {
    const list = was < 0 ? { was: -1, now: 1, isNew: true } : listAt(was);
    const next: number[] = [];
    for (const entry of lists[was] ?? []) {
      const [number, role] = [entry >>> PERMISSION, entry & 7];
      const about = { was: number, now: numbering.now?.[number] ?? number, isNew: false };
      const becomes = gone.has(number) || below(5000) === 0 ? undefined : below(5000) === 0 ? 7 - role : role;
      if (becomes !== role) relations.push({ change, list, about, was: role, becomes });
      if (becomes !== undefined) next.push(packed(about.now, PERMISSION, becomes));
    }
    for (const about of newcomers) {
      if (below(2) === 0) continue;
      relations.push({ change, list, about, was: undefined, becomes: 5 });
      next.push(packed(about.now, PERMISSION, 5));
    }
    return next.sort(ascend);
  });
  const kept = relations.toSorted(() => random() - 0.5);
  const before = listsOf(lists);
  const patching = patched(before, kept, placed(rows), placed(numbering), ascending(PERMISSION));
  expect(firstDifference(done(patching), listsOf(expected))).toBeUndefined();
  expect(firstDifference(before, listsOf(lists))).toBeUndefined();
});

test.each(seeds)("many texts, appended and copied when there is no room, seed %i", (seed) => {
  const random = randomOf(seed);
  const said = (texts: Texts) => Array.from(texts.begins.keys(), (at) => textOf(texts, at));
  const writer = new TextWriter();
  let expected = Array.from({ length: 160_000 }, (_, at) => `${at} é ${"-".repeat(random() * 30)}`);
  for (const text of expected) writer.add(text);
  let texts = writer.texts();
  const buffers = new Set([texts.bytes]);
  while (buffers.size < 3) {
    const numbering = merged(expected.length, [7, 8, 100_000], [0, 8, 150_000, expected.length]);
    const values = new Map(numbering.came.map((at) => [at, `new ${at}`]));
    for (let i = 0; i < 3000; i++) values.set(Math.floor(random() * numbering.count), `changed ${random()}`);
    const next = Array.from({ length: numbering.count }, () => "");
    for (const { was, now, length } of numbering.stretches)
      for (let i = 0; i < length; i++) next[now + i] = expected[was + i] ?? "";
    for (const [at, text] of values) next[at] = text;
    const before = texts;
    texts = done(restated(texts, numbering, values));
    expect(said(texts).join("\n") === next.join("\n")).toBe(true);
    expect(said(before).join("\n") === expected.join("\n")).toBe(true);
    buffers.add(texts.bytes);
    expected = next;
  }
  expect(done(restated(texts, unmoved(expected.length), new Map()))).toBe(texts);
});

test("what is appended twice to the same texts stays apart", () => {
  const writer = new TextWriter();
  for (let i = 0; i < 100; i++) writer.add("-".repeat(100));
  const texts = writer.texts();
  const [one, two] = ["one", "two"].map((text) => done(restated(texts, unmoved(100), new Map([[7, text]]))));
  if (one === undefined || two === undefined) throw new Error("No texts.");
  expect([one.bytes === texts.bytes, two.bytes === texts.bytes]).toEqual([true, true]);
  expect([textOf(one, 7), textOf(two, 7), textOf(texts, 7)]).toEqual(["one", "two", "-".repeat(100)]);
});
