import { describe } from "vitest";
import type { OpenPlace } from "../world.ts";
import { exerciseAgain } from "./again.ts";
import { exerciseChains } from "./chains.ts";
import { exerciseApplying, exerciseChanges } from "./changes.ts";
import { exerciseClock } from "./clock.ts";
import { exerciseDiffs } from "./diff.ts";
import { exerciseDifferences } from "./differences.ts";
import { exerciseEnds } from "./ends.ts";
import { exerciseImports } from "./imports.ts";
import { exerciseListings } from "./listings.ts";
import { exerciseMany } from "./many.ts";
import { exerciseNeighbours } from "./neighbours.ts";
import { exerciseNotes } from "./notes.ts";
import { exerciseForgetting } from "./forget.ts";
import { exercisePast } from "./past.ts";
import { exerciseMoments } from "./moments.ts";
import { exerciseFlatness } from "./flat.ts";
import { exercisePrunedMeanwhile } from "./pruned-meanwhile.ts";
import { exerciseReach } from "./reach.ts";
import { exerciseVerifying } from "./verifying.ts";
import { exerciseRuns } from "./runs.ts";
import { exerciseWithout } from "./without.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 30);
/** One listing in this many is walked in large organizations; all of them with a hundred runs. */
const STEP = RUNS < 100 ? 5 : 1;

/**
 * All tests that every store must pass. `part` reduces the number of random organizations for stores on which opening
 * and importing are slow.
 */
export function exerciseStore(open: OpenPlace, part = 1): void {
  describe("listings", () => exerciseListings(open, Math.ceil(part * RUNS)));
  describe("many", () => exerciseMany(open, STEP));
  describe("imports", () => exerciseImports(open, Math.ceil((part * RUNS) / 6), STEP));
  describe("differences", () => exerciseDifferences(open, Math.ceil((part * RUNS) / 6)));
  describe("diffs", () => exerciseDiffs(open, Math.ceil((part * RUNS) / 4), part === 1));
  describe("changes", () => exerciseChanges(open, Math.ceil((Math.max(part, 1 / 2) * RUNS) / 3)));
  describe("chains", () => exerciseChains(open, Math.ceil((part * RUNS) / 8), STEP, part === 1));
  describe("applying", () => exerciseApplying(open, Math.ceil((part * RUNS) / 4), STEP));
  describe("notes", () => exerciseNotes(open));
  describe("again", () => exerciseAgain(open, Math.ceil((part * RUNS) / 8), part < 1 ? 3 : 1));
  describe("neighbours", () => exerciseNeighbours(open));
  describe("moments", () => exerciseMoments(open));
  describe("past", () => exercisePast(open, Math.ceil((part * RUNS) / 5)));
  describe("ends", () => exerciseEnds(open));
  describe("clock", () => exerciseClock(open, Math.ceil((part * RUNS) / 5)));
  describe("pruned meanwhile", () => exercisePrunedMeanwhile(open, part === 1));
  describe("forgetting", () => exerciseForgetting(open));
  describe("flatness", () => exerciseFlatness(open, part < 1 ? ["last"] : ["spread", "first", "last"]));
  describe("reach", () => exerciseReach(open, Math.ceil((part * RUNS) / 3)));
  describe("without", () => exerciseWithout(open, Math.ceil((part * RUNS) / 3)));
  describe("verifying", () => exerciseVerifying(open));
  describe("runs", () => exerciseRuns(open, Math.ceil(part * 8)));
}
