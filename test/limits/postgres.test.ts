/** The tests of a PostgreSQL store with chunks of four slots, so that changes often split chunks. */
import { describe } from "vitest";
import { usePostgres } from "../postgres/use.ts";
import { exerciseSuccessiveChanges } from "../store/writing/change/successive.ts";
import { exerciseRandomSplits, exerciseSplits } from "../store/writing/change/splits.ts";
import type { Place } from "../world.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 0);

const postgres = usePostgres();
const open = (): Promise<Place> => postgres.places.open();

describe("a server's store with small limits", () => {
  describe("splits", () => exerciseSplits(open, 12, 7));
  if (RUNS < 30) return;
  describe("successive changes", () => exerciseSuccessiveChanges(open, RUNS / 10, 5));
  describe("random splits", () => exerciseRandomSplits(open, Math.ceil(RUNS / 30)));
});
