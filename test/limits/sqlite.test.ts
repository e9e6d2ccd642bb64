/**
 * The tests of a store with small limits: chunks of four slots, sets that are large from five positions, and so on.
 * Random organizations then have several chunks, closed chunks, and small and large sets. With the limits of the
 * program, they never fill one chunk.
 */
import { describe, expect, test } from "vitest";
import { SLOTS } from "../../src/sets/position.ts";
import { exerciseApplying, exerciseChanges } from "../store/writing/change/changes.ts";
import { exerciseSuccessiveChanges } from "../store/writing/change/successive.ts";
import { exerciseClock } from "../store/revisions/clock.ts";
import { exerciseDiffs, exerciseMovedDiffs } from "../store/revisions/diff/diff.ts";
import { exerciseListings } from "../store/listings/listings.ts";
import { exercisePast } from "../store/revisions/past.ts";
import { exerciseRandomSplits, exerciseSplits } from "../store/writing/change/splits.ts";
import { exerciseWithout } from "../store/listings/without.ts";
import { sqlitePlace } from "../world.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 6);

test("the limits are small", () => {
  expect(SLOTS).toBe(4);
});

describe("a store with small limits", () => {
  describe("listings", () => exerciseListings(sqlitePlace, RUNS));
  describe("past", () => exercisePast(sqlitePlace, Math.ceil(RUNS / 3)));
  describe("successive changes", () => exerciseSuccessiveChanges(sqlitePlace, RUNS, 3));
  describe("splits", () => exerciseSplits(sqlitePlace, 30, 7));
  describe("random splits", () => exerciseRandomSplits(sqlitePlace, Math.ceil(RUNS / 3)));
  describe("changes", () => exerciseChanges(sqlitePlace, RUNS));
  describe("applying", () => exerciseApplying(sqlitePlace, Math.ceil(RUNS / 3), 5));
  describe("clock", () => exerciseClock(sqlitePlace, Math.ceil(RUNS / 3)));
  describe("diffs", () => exerciseDiffs(sqlitePlace, RUNS, true));
  describe("diffs of full chunks", () => exerciseMovedDiffs(sqlitePlace, 30));
  describe("without", () => exerciseWithout(sqlitePlace, RUNS));
});
