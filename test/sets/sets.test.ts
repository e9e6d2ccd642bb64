import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SetBuilder } from "../../src/sets/builder.ts";
import { addContainer, containerOf, slotsOf } from "../../src/sets/container.ts";
import { type Head, headBytes, headOf, SMALL } from "../../src/sets/head.ts";
import { CHUNKS, chunkOf, positionAt, SLOTS, slotOf } from "../../src/sets/position.ts";
import { PositionLists } from "../../src/sets/position-lists.ts";
import { asWords } from "../../src/sets/slots.ts";
import {
  addSlot,
  countSlots,
  hasSlot,
  noSlots,
  removeSlot,
  slotsFrom,
  type Words,
} from "../../src/sets/words.ts";

const slot = fc.integer({ min: 0, max: SLOTS - 1 });
/** Random sets of any density: scattered slots, or runs of consecutive ones. */
const slots = fc.oneof(
  fc.uniqueArray(slot, { maxLength: 300 }),
  fc.tuple(slot, slot).map(([a, b]) => {
    const from = Math.min(a, b);
    return Array.from({ length: Math.max(a, b) - from + 1 }, (_, index) => from + index);
  }),
);

function wordsOf(of: Iterable<number>): Words {
  const words = noSlots();
  for (const each of of) addSlot(words, each);
  return words;
}

function sorted(of: Iterable<number>): number[] {
  return [...of].sort((a, b) => a - b);
}

describe("words", () => {
  test("contain what was added and not removed, in order, and count it", () => {
    fc.assert(
      fc.property(slots, slots, (added, removed) => {
        const words = wordsOf(added);
        for (const each of removed) removeSlot(words, each);
        const gone = new Set(removed);
        const left = sorted(added.filter((each) => !gone.has(each)));
        expect([...slotsFrom(words)]).toEqual(left);
        expect(countSlots(words)).toBe(left.length);
        for (const from of [0, 31, 32, 2000, SLOTS - 1]) {
          expect([...slotsFrom(words, from)]).toEqual(left.filter((each) => each >= from));
        }
        for (const each of [...added, ...removed]) expect(hasSlot(words, each)).toBe(left.includes(each));
      }),
      { numRuns: 50 },
    );
  });
});

describe("containers", () => {
  test("return the slots from which they were made, at any byte offset", () => {
    fc.assert(
      fc.property(slots, fc.integer({ min: 0, max: 9 }), (of, offset) => {
        const container = containerOf(wordsOf(of));
        expect(container.length).toBeLessThanOrEqual(SLOTS / 8);
        const memory = new Uint8Array(offset + container.length);
        memory.set(container, offset);
        const words = noSlots();
        addContainer(words, memory.subarray(offset));
        expect([...slotsFrom(words)]).toEqual(sorted(of));
        const stored = slotsOf(memory.subarray(offset));
        for (const each of [0, 31, ...of.slice(0, 9)])
          expect(hasSlot(asWords(stored), each)).toBe(hasSlot(words, each));
      }),
    );
  });

  test.each([0, 1, 255, 256, 257, SLOTS])("of %i slots", (count) => {
    const of = Array.from({ length: count }, (_, index) => index);
    const words = noSlots();
    addContainer(words, containerOf(wordsOf(of)));
    expect([...slotsFrom(words)]).toEqual(of);
  });
});

describe("a set built from ascending positions", () => {
  test.each([0, 1, SMALL - 1, SMALL, SMALL + 1, 3 * SLOTS])("of %i positions contains them all", (count) => {
    // Every third position, in several chunks.
    const positions = Array.from({ length: count }, (_, index) => 3 * index);
    expect(built(positions)).toEqual(positions);
  });

  test("of any positions contains them all", () => {
    const far = fc
      .tuple(fc.integer({ min: 0, max: CHUNKS - 1 }), slot)
      .map(([chunk, at]) => positionAt(chunk, at));
    fc.assert(
      fc.property(fc.uniqueArray(far, { maxLength: 600 }), (drawn) => {
        const positions = sorted(drawn);
        expect(built(positions)).toEqual(positions);
      }),
    );
  });
});

/** Builds a set, stores its head and containers, and reads the whole set. */
function built(positions: readonly number[]): number[] {
  const containers = new Map<number, Uint8Array>();
  const builder = new SetBuilder((chunk, container) => containers.set(chunk, container));
  for (const position of positions) builder.add(position);
  const head: Head = headOf(headBytes(builder.end()));
  if ("positions" in head) {
    expect(positions.length).toBeLessThanOrEqual(SMALL);
    expect(containers.size).toBe(0);
    return [...head.positions];
  }
  expect([...head.chunks]).toEqual([...containers.keys()]);
  const found = [...head.chunks].flatMap((chunk) => {
    const words = noSlots();
    addContainer(words, containers.get(chunk) ?? new Uint8Array());
    return [...slotsFrom(words)].map((each) => positionAt(chunk, each));
  });
  expect(found.every((position) => positionAt(chunkOf(position), slotOf(position)) === position)).toBe(true);
  return found;
}

test("lists of positions equal arrays, however they interleave", () => {
  const added = fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 2 ** 32 - 1 })), { maxLength: 3000 });
  fc.assert(
    fc.property(added, fc.nat({ max: 20 }), (pairs, limit) => {
      const lists = new PositionLists();
      const found = new Map<number, number>();
      const expected = new Map<number, number[]>();
      for (const [name, position] of pairs) {
        found.set(name, lists.add(found.get(name) ?? 0, position));
        expected.set(name, [...(expected.get(name) ?? []), position]);
      }
      for (const [name, positions] of expected) {
        const list = found.get(name) ?? 0;
        expect(lists.positionsOf(list)).toEqual(positions);
        expect(lists.isLonger(list, limit)).toBe(positions.length > limit);
      }
    }),
    { numRuns: 50 },
  );
});
