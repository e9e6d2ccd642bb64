/**
 * The tests of a store with small limits: lists go on in parts from four entries, rows and logged records are read two at
 * a time, and written in transactions of a few. With the limits of the program, random organizations reach none of them.
 */
import { describe, expect, test } from "vitest";
import { LONGEST } from "../../src/store/rows/lists.ts";
import { exerciseApplying, exerciseChanges } from "../store/writing/changes.ts";
import { exerciseSuccessiveChanges } from "../store/writing/successive.ts";
import { exerciseFollowing } from "../store/following.ts";
import { exerciseDiffs } from "../store/revisions/diff/diff.ts";
import { exercisePast } from "../store/revisions/past.ts";
import { sqlitePlace } from "../world.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 6);

test("the limits are small", () => {
  expect(LONGEST).toBe(4);
});

describe("a store with small limits", () => {
  describe("following", () => exerciseFollowing(sqlitePlace, RUNS, true));
  describe("past", () => exercisePast(sqlitePlace, Math.ceil(RUNS / 3)));
  describe("successive changes", () => exerciseSuccessiveChanges(sqlitePlace, RUNS, 3));
  describe("changes", () => exerciseChanges(sqlitePlace, RUNS));
  describe("applying", () => exerciseApplying(sqlitePlace, Math.ceil(RUNS / 3), 5));
  describe("diffs", () => exerciseDiffs(sqlitePlace, RUNS, true));
});
