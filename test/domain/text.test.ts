/** Suggestions for a misspelt name, and files in command lines. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { commandLine, distance, fileWord, Nearest } from "../../src/domain/text.ts";
import { holds } from "../setup/property.ts";

test.each([
  ["review.csv", "./review.csv"],
  ["-rf it's.csv", String.raw`'./-rf it'\''s.csv'`],
  ["./review.csv", "./review.csv"],
  ["../review.csv", "../review.csv"],
  ["..csv", "./..csv"],
  ["/tmp/review.csv", "/tmp/review.csv"],
  [String.raw`C:\reviews\a.csv`, String.raw`'C:\reviews\a.csv'`],
])("the file %j is the word %s of a command", (name, word) => {
  expect(commandLine(fileWord(name))).toBe(word);
});

test.each([
  ["", "", 0],
  ["ana", "ana", 0],
  ["ana", "anna", 1],
  ["kitten", "sitting", 3],
  ["", "abc", 3],
  ["abcd", "badc", 3],
])("the distance from %j to %j is %i", (from, to, letters) => {
  expect(distance(from, to)).toBe(letters);
  expect(distance(to, from)).toBe(letters);
});

test("inserting, removing or replacing a letter has distance one", () => {
  holds(
    fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.constantFrom("", "x"), (text, at, put) => {
      const place = at % text.length;
      const other = text.slice(0, place) + put + text.slice(place + 1);
      expect(distance(text, other)).toBe(text === other ? 0 : 1);
    }),
  );
});

test("the three nearest by id or name, ignoring case, and nothing distant", () => {
  const nearest = new Nearest("Salarys");
  nearest.add("holidays", "Holidays");
  nearest.add("x1", "SALARIES");
  nearest.add("salary");
  nearest.add("celery");
  nearest.add("salarys2");
  nearest.add("SALARYS");
  expect(nearest.ids).toEqual(["SALARYS", "salary", "salarys2"]);
});
