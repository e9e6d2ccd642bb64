/** The compact collections of the converter return what was stored in them. */
import { describe, expect, test } from "vitest";
import { Pairs } from "../../../src/connectors/csv/kept/pairs.ts";
import { Texts } from "../../../src/connectors/csv/kept/texts.ts";

const MANY = 5000;

describe("texts", () => {
  const texts = Array.from({ length: MANY }, (_, n) => `Łoś ${n.toString(36)}`);
  const long = "x".repeat(3 << 20);

  test("are found by their numbers", () => {
    const kept = new Texts();
    const all = [...texts, long, "", `${long}y`];
    expect(all.map((text) => kept.add(text))).toEqual(all.map((_, index) => index));
    expect(all.every((text, index) => kept.add(text) === index && kept.find(text) === index)).toBe(true);
    expect(all.every((text, index) => kept.at(index) === text)).toBe(true);
    expect(kept.find("Łoś")).toBe(undefined);
    expect(kept.size).toBe(all.length);
  });

  test("have no other numbers", () => {
    const kept = new Texts();
    kept.add("one");
    expect(() => kept.at(1)).toThrow("There is no text 1.");
  });
});

test("pairs keep their order, and a repeated pair is reported with the first one", () => {
  const pairs = new Pairs();
  const all = Array.from({ length: MANY }, (_, n) => ({
    left: n % 7,
    right: Math.floor(n / 7),
    value: n % 6,
    row: n + 2,
  }));
  const before = all.map(({ left, right, value, row }) => pairs.add(left, right, value, row));
  expect(before.filter((pair) => pair !== undefined)).toEqual([]);
  expect([...pairs]).toEqual(all);
  expect(all.map(({ left, right }) => pairs.add(left, right, 0, 0))).toEqual(all);
  expect(pairs.size).toBe(MANY);
});
