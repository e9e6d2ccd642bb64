import { describe } from "vitest";
import type { OpenPlace } from "../world.ts";
import { exerciseApplied } from "./revisions/applied.ts";
import { exerciseSuccessiveChanges } from "./writing/successive.ts";
import { exerciseApplying, exerciseChanges } from "./writing/changes.ts";
import { exerciseClock } from "./revisions/clock.ts";
import { exerciseDiffs } from "./revisions/diff/diff.ts";
import { exerciseDifferences } from "./writing/differences.ts";
import { exerciseEnds } from "./listings/ends.ts";
import { exerciseImports } from "./writing/imports.ts";
import { exerciseListings } from "./listings/listings.ts";
import { exerciseMany } from "./listings/many.ts";
import { exerciseModels } from "./models.ts";
import { exerciseNotes } from "./writing/notes.ts";
import { exerciseReturned } from "./writing/returned.ts";
import { exerciseForgetting } from "./revisions/forget.ts";
import { exercisePast } from "./revisions/past.ts";
import { exerciseConsistentReads } from "./revisions/consistent-reads.ts";
import { exerciseFollowing } from "./following.ts";
import { exercisePrunedMeanwhile } from "./revisions/pruned-meanwhile.ts";
import { exerciseRevisions } from "./listings/revisions.ts";
import { exerciseVerifying } from "./rows/verifying.ts";
import { exerciseRespelling } from "./schema/respelled.ts";
import { exerciseRuns } from "./listings/runs.ts";
import { exerciseWithout } from "./listings/without.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);
/** True in `npm run test:long`, which runs everything. */
const IS_LONG = RUNS >= 100;
/** In large organizations, every fifth listing is walked. */
const STEP = IS_LONG ? 1 : 5;

/**
 * All tests that every store must pass. `isSlow` is for a store on a server, where opening and importing take long.
 * Such a store gets fewer random organizations and, except in `npm run test:long`, no tests of what does not depend on
 * the database.
 */
export function exerciseStore(open: OpenPlace, isSlow = false): void {
  const runs = (part: number) => Math.ceil((RUNS * part) / (isSlow ? 10 : 1));
  const isWhole = IS_LONG || !isSlow;
  const step = isWhole ? STEP : 5 * STEP;
  describe("models", () => exerciseModels(open, runs(1)));
  describe("following", () => exerciseFollowing(open, runs(1), isWhole));
  describe("listings", () => exerciseListings(open, runs(1), IS_LONG ? 6 : isWhole ? 4 : 2));
  describe("revisions", () => exerciseRevisions(open, runs(1 / 3), isWhole ? 3 : 9));
  describe("many", () => exerciseMany(open, step));
  describe("imports", () => exerciseImports(open, runs(1 / 6), step, isWhole));
  describe("differences", () => exerciseDifferences(open, isWhole ? Math.max(8, runs(1 / 6)) : 2));
  describe("diffs", () => exerciseDiffs(open, runs(1 / 4), isWhole));
  describe("changes", () => exerciseChanges(open, runs(1 / 3)));
  describe("successive changes", () => exerciseSuccessiveChanges(open, runs(1 / 8), STEP));
  describe("applied", () => exerciseApplied(open));
  describe("applying", () => exerciseApplying(open, runs(1 / 4), STEP));
  describe("notes", () => exerciseNotes(open));
  describe("returned", () => exerciseReturned(open, isWhole));
  describe("consistent reads", () => exerciseConsistentReads(open));
  describe("past", () => exercisePast(open, runs(1 / 5)));
  describe("clock", () => exerciseClock(open, runs(1 / 5)));
  describe("pruned meanwhile", () => exercisePrunedMeanwhile(open, isWhole));
  describe("forgetting", () => exerciseForgetting(open));
  describe("without", () => exerciseWithout(open, runs(1 / 3)));
  describe("verifying", () => exerciseVerifying(open, isWhole));
  describe("runs", () => exerciseRuns(open, runs(1 / 4)));
  if (!isWhole) return;
  describe("ends", () => exerciseEnds(open));
  describe("respelling", () => exerciseRespelling(open, runs(1 / 2)));
}
